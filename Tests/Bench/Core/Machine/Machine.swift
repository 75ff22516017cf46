import FoundationEssentials
import Glibc

/// The machine, as far as it says what figures are worth.
package enum Machine {
    /// Processor and cores, e.g. `AMD EPYC × 2`.
    package static var description: String {
        let lines = text("/proc/cpuinfo").split(separator: "\n")
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last.map(String.init)
        return (model?.trimmingPrefix(" ").description ?? "unknown processor") + " × \(coreCount)"
    }

    package static var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Processes that ran or waited for a processor, averaged over the last minute.
    package static var loadAverage: Double {
        text("/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } ?? 0
    }

    /// Seconds of CPU that everything on the machine has used since it started.
    package static var busySeconds: Double { busySeconds(parsing: text("/proc/stat")) }

    /// The first line of `/proc/stat` without idle, iowait and the guests' time, which is in user's already.
    package static func busySeconds(parsing stat: String) -> Double {
        guard let line = stat.split(separator: "\n").first, line.hasPrefix("cpu ") else { return 0 }
        let fields = line.split(separator: " ").dropFirst().prefix(8).map { Double($0) ?? 0 }
        let idle = fields.dropFirst(3).prefix(2).reduce(0, +)
        return (fields.reduce(0, +) - idle) / ProcessTimes.ticksPerSecond
    }

    /// Microseconds of CPU that this process has used, all threads together.
    package static var ownMicroseconds: Double {
        // CLOCKS_PER_SEC is 1,000,000 by POSIX.
        Double(clock())
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}
