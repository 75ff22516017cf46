import FoundationEssentials
import Glibc

/// The kernel's figures about this process, in Prometheus text.
enum ProcessMetrics {
    private static let startedAt = UnixTime.seconds()

    /// Notes the start of the process.
    static func noteStart() { _ = startedAt }

    static func prometheusText(droppedLogLines: UInt64) -> String {
        var text = PrometheusText()
        text.add("process_resident_memory_bytes", "gauge", residentBytes())
        text.add("process_cpu_seconds_total", "counter", processorSeconds())
        text.add("process_open_fds", "gauge", openDescriptors())
        text.add("process_start_time_seconds", "gauge", Double(startedAt))
        text.add("log_lines_dropped_total", "counter", Double(droppedLogLines))
        return text.text
    }

    private static func residentBytes() -> Double {
        guard let statm = FileManager.default.contents(atPath: "/proc/self/statm") else { return 0 }
        let fields = String(decoding: statm, as: UTF8.self).split(separator: " ")
        return fields.dropFirst().first.flatMap { Double($0) }.map { $0 * Double(sysconf(Int32(_SC_PAGESIZE))) } ?? 0
    }

    private static func processorSeconds() -> Double {
        var usage = rusage()
        guard unsafe getrusage(RUSAGE_SELF.rawValue, &usage) == 0 else { return 0 }
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }

    private static func openDescriptors() -> Double {
        do { return Double(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) } catch {
            return 0
        }
    }
}

extension PrometheusText {
    /// Adds a family of one sample without labels.
    fileprivate mutating func add(_ metric: String, _ kind: String, _ value: Double) {
        family(metric, kind: kind)
        sample(SeriesName(metric, []), value)
    }
}
