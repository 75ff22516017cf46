import FoundationEssentials
import Glibc

/// The most that a process had in memory from a moment on, in megabytes (1,048,576 bytes).
struct PeakMemory: Sendable {
    private let process: pid_t
    /// The resident memory at that moment.
    let before: Double

    /// Begins to watch: the kernel forgets the peak until now (`clear_refs` in proc(5)).
    init(of process: pid_t) throws {
        self.process = process
        try Data("5".utf8).write(to: URL(filePath: "/proc/\(process)/clear_refs"))
        before = try ProcessMemory(of: process).resident
    }

    /// How much more than before it was at the highest.
    var extra: Double {
        get throws {
            let contents = FileManager.default.contents(atPath: "/proc/\(process)/status") ?? Data()
            return try Self.peak(parsing: String(decoding: contents, as: UTF8.self)) - before
        }
    }

    /// `VmHWM` of `/proc/PID/status`.
    static func peak(parsing status: String) throws -> Double {
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        guard let line, let kilobytes = Double(line.filter(\.isNumber)) else {
            throw ProcessTimes.Unreadable(description: "no VmHWM in status")
        }
        return kilobytes / 1024
    }
}
