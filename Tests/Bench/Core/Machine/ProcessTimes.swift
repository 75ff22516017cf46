import FoundationEssentials
package import Glibc

/// The CPU time that a process has used so far, its ended children included (Redis' rewrites of its file).
package struct ProcessTimes: Sendable, Equatable {
    /// Fields of `/proc/PID/stat` count hundredths of a second (`sysconf(_SC_CLK_TCK)` on every Linux that we run on).
    static let ticksPerSecond = 100.0

    /// In user and kernel mode together.
    package let seconds: Double

    /// The text of `/proc/PID/stat` has another form than proc(5) says, or the process is gone.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    package init(of process: pid_t) throws {
        let path = "/proc/\(process)/stat"
        guard let contents = FileManager.default.contents(atPath: path) else {
            throw Unreadable(description: "\(path) cannot be read")
        }
        try self.init(parsing: String(decoding: contents, as: UTF8.self))
    }

    /// Reads utime, stime, cutime and cstime, fields 14 to 17 of `/proc/PID/stat` (proc(5)).
    package init(parsing stat: String) throws {
        // The name in brackets may hold spaces and brackets itself.
        guard let nameEnd = stat.lastIndex(of: ")") else { throw Unreadable(description: "no name in stat") }
        let fields = stat[stat.index(after: nameEnd)...].split(separator: " ")
        let times = fields.dropFirst(11).prefix(4).compactMap { Double($0) }
        guard times.count == 4 else { throw Unreadable(description: "no times in stat") }
        seconds = times.reduce(0, +) / Self.ticksPerSecond
    }
}
