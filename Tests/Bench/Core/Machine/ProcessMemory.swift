import FoundationEssentials
package import Glibc

/// The memory of a process, in megabytes (1,048,576 bytes).
package struct ProcessMemory: Sendable, Equatable {
    /// All of it: `VmRSS`.
    package let resident: Double
    /// Its own: `RssAnon`.
    package let anonymous: Double
    /// Pages of files, mostly code, which other processes may share and the kernel may drop: `RssFile`.
    package let file: Double

    package init(of process: pid_t) throws {
        let path = "/proc/\(process)/status"
        guard let contents = FileManager.default.contents(atPath: path) else {
            throw ProcessTimes.Unreadable(description: "\(path) cannot be read")
        }
        try self.init(parsing: String(decoding: contents, as: UTF8.self))
    }

    /// Reads the lines of `/proc/PID/status` (proc(5)).
    package init(parsing status: String) throws {
        func megabytes(_ name: String) throws -> Double {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
            guard let line, let kilobytes = Double(line.filter(\.isNumber)) else {
                throw ProcessTimes.Unreadable(description: "no \(name) in status")
            }
            return kilobytes / 1024
        }
        resident = try megabytes("VmRSS")
        anonymous = try megabytes("RssAnon")
        file = try megabytes("RssFile")
    }
}
