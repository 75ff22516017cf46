import FoundationEssentials
import Glibc

/// The machine, as far as it says what figures are worth.
enum Machine {
    /// Fields of `/proc` count hundredths of a second (`sysconf(_SC_CLK_TCK)` on every Linux that we run on).
    static let ticksPerSecond = 100.0

    /// Processor and cores, e.g. `AMD EPYC × 2`.
    static var description: String {
        let lines = text("/proc/cpuinfo").split(separator: "\n")
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last.map(String.init)
        return (model?.trimmingPrefix(" ").description ?? "unknown processor") + " × \(coreCount)"
    }

    static var coreCount: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Processes that ran or waited for a processor, averaged over the last minute.
    static var loadAverage: Double {
        text("/proc/loadavg").split(separator: " ").first.flatMap { Double($0) } ?? 0
    }

    /// Seconds of CPU that everything on the machine has used since it started.
    static var busySeconds: Double { busySeconds(parsing: text("/proc/stat")) }

    /// The first line of `/proc/stat` without idle, iowait and the guests' time, which is in user's already.
    static func busySeconds(parsing stat: String) -> Double {
        guard let line = stat.split(separator: "\n").first, line.hasPrefix("cpu ") else { return 0 }
        let fields = line.split(separator: " ").dropFirst().prefix(8).map { Double($0) ?? 0 }
        let idle = fields.dropFirst(3).prefix(2).reduce(0, +)
        return (fields.reduce(0, +) - idle) / ticksPerSecond
    }

    /// Microseconds of CPU that this process has used, all threads together; CLOCKS_PER_SEC is 1,000,000 by POSIX.
    static var ownMicroseconds: Double { Double(clock()) }

    static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

/// A folder of its own in the temporary folder.
enum ScratchFolder {
    /// Runs `body` with the path of a new folder, and removes it with all its files on every path.
    static func run<Value: Sendable>(_ name: String, _ body: (String) async throws -> Value) async throws -> Value {
        let path = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return try await finally {
            try await body(path)
        } end: {
            try FileManager.default.removeItem(atPath: path)
        }
    }
}

/// Runs `body`, then `end` on every path.
func finally<Value: Sendable>(
    _ body: () async throws -> Value, end: () async throws -> Void
) async throws -> Value {
    let value: Value
    do { value = try await body() } catch {
        try await end()
        throw error
    }
    try await end()
    return value
}
