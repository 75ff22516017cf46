import FoundationEssentials
import Glibc

/// The CPU time that a process or a thread has used so far, its ended children included (Redis' rewrites of its file).
struct ProcessTimes: Sendable, Equatable {
    /// In user and kernel mode together.
    let seconds: Double
    private let nice: Int

    init(of process: pid_t) throws { try self.init(parsing: Machine.text("/proc/\(process)/stat")) }

    /// Reads utime, stime, cutime, cstime and nice, fields 14 to 17 and 19 of `/proc/PID/stat` (proc(5)).
    init(parsing stat: String) throws {
        // The name in brackets may hold spaces and brackets itself.
        guard let nameEnd = stat.lastIndex(of: ")") else { throw UnexpectedReply(description: "no name in stat") }
        let fields = stat[stat.index(after: nameEnd)...].split(separator: " ").dropFirst(11).prefix(6)
        let numbers = fields.compactMap { Double($0) }
        guard numbers.count == 6 else { throw UnexpectedReply(description: "no times in stat") }
        seconds = numbers.prefix(4).reduce(0, +) / Machine.ticksPerSecond
        nice = Int(numbers[5])
    }

    /// The seconds of a process's threads that run at the lowest priority: of user-service those that hash.
    static func secondsOfHashing(in process: pid_t) throws -> Double {
        let folder = "/proc/\(process)/task"
        let stats = try FileManager.default.contentsOfDirectory(atPath: folder)
            .map { Machine.text("\(folder)/\($0)/stat") }
        // A thread that has ended meanwhile did not hash: those that do stay as long as the process.
        return try secondsOfHashing(parsing: stats.filter { !$0.isEmpty })
    }

    static func secondsOfHashing(parsing stats: [String]) throws -> Double {
        try stats.map { try ProcessTimes(parsing: $0) }.filter { $0.nice == 19 }.map(\.seconds).reduce(0, +)
    }
}

/// The memory of a process, in megabytes (1,048,576 bytes).
enum ProcessMemory {
    /// All of it: `VmRSS`.
    static func resident(_ process: pid_t) throws -> Double { try megabytes("VmRSS", of: process) }

    /// A field of `/proc/PID/status`.
    static func megabytes(_ field: String, of process: pid_t) throws -> Double {
        try megabytes(field, parsing: Machine.text("/proc/\(process)/status"))
    }

    static func megabytes(_ field: String, parsing status: String) throws -> Double {
        let line = status.split(separator: "\n").first { $0.hasPrefix(field + ":") }
        guard let line, let kilobytes = Double(line.filter(\.isNumber)) else {
            throw UnexpectedReply(description: "no \(field) in status")
        }
        return kilobytes / 1024
    }

    /// Runs `body`, and returns how many megabytes more than before the process had at the most meanwhile.
    static func extra(of process: pid_t, during body: () async throws -> Void) async throws -> Double {
        // The kernel forgets the peak until now (`clear_refs` in proc(5)).
        try Data("5".utf8).write(to: URL(filePath: "/proc/\(process)/clear_refs"))
        let before = try resident(process)
        try await body()
        return try megabytes("VmHWM", of: process) - before
    }
}
