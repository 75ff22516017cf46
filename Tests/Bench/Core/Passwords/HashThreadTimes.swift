import FoundationEssentials
package import Glibc

/// The CPU time of a process's threads that run at the lowest priority: of user-service those that hash.
package struct HashThreadTimes: Sendable, Equatable {
    /// The nice value of such threads.
    private static let nice = 19

    /// In user and kernel mode together.
    package let seconds: Double

    package init(of process: pid_t) throws {
        let folder = "/proc/\(process)/task"
        let threads: [String]
        do { threads = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            throw ProcessTimes.Unreadable(description: "\(folder) cannot be read")
        }
        // A thread that has ended meanwhile was none of ours: those stay as long as the process.
        let stats = threads.compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)/stat") }
        seconds = try stats.map { try Self.seconds(parsing: String(decoding: $0, as: UTF8.self)) }.reduce(0, +)
    }

    /// Reads utime, stime and nice, fields 14, 15 and 19 of `/proc/PID/task/TID/stat` (proc(5)); 0 at any other priority.
    package static func seconds(parsing stat: String) throws -> Double {
        guard let nameEnd = stat.lastIndex(of: ")") else {
            throw ProcessTimes.Unreadable(description: "no name in stat")
        }
        let fields = stat[stat.index(after: nameEnd)...].split(separator: " ")
        guard fields.count > 16, let user = Double(fields[11]), let kernel = Double(fields[12]),
            let nice = Int(fields[16])
        else { throw ProcessTimes.Unreadable(description: "no times in stat") }
        return nice == Self.nice ? (user + kernel) / ProcessTimes.ticksPerSecond : 0
    }
}
