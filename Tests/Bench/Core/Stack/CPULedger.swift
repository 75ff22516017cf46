package import Glibc
package import TestSupport

/// How much CPU each process of a stack has used.
package struct CPULedger: Sendable, Equatable {
    /// Seconds by short name of the process; replicas apart.
    package let seconds: [String: Double]
    private let processes: [String: pid_t]

    /// A process that ended in between took its time with it.
    package struct Restarted: Error {}

    package init(seconds: [String: Double], processes: [String: pid_t]) {
        self.seconds = seconds
        self.processes = processes
    }

    package init(_ stack: LatchkeyStack) throws {
        processes = try stack.processIDs
        var seconds = try processes.mapValues { try ProcessTimes(of: $0).seconds }
        if let server = stack.database?.server {
            // The processor time of connections that have ended belongs to the server too.
            seconds["postgres"] = try server.processIDs.reduce(0) { try $0 + ProcessTimes(of: $1).seconds }
        }
        self.seconds = seconds
    }

    /// Returns the CPU time used since `earlier`, by process; replicas (`otp-2`) are added to their service.
    ///
    /// - Throws: `Restarted` when the processes are not the same.
    package func used(since earlier: CPULedger) throws -> [String: Double] {
        guard processes == earlier.processes else { throw Restarted() }
        var used: [String: Double] = [:]
        for (name, total) in seconds {
            used[Self.service(of: name), default: 0] += total - (earlier.seconds[name] ?? 0)
        }
        return used
    }

    /// `otp-2` → `otp`; `sample-api` stays.
    static func service(of process: String) -> String {
        guard let dash = process.lastIndex(of: "-"), Int(process[process.index(after: dash)...]) != nil else {
            return process
        }
        return String(process[..<dash])
    }
}
