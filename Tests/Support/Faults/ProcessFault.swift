import FoundationEssentials
package import Glibc

/// A fault of one process of a stack, Redis included.
package enum ProcessFault: Sendable, CustomStringConvertible {
    /// `kill -9`; the supervisor starts it again.
    case kill(String)
    /// SIGTERM: an ordinary restart.
    case terminate(String)
    /// SIGSTOP, and SIGCONT after the time: connections stay open, nothing is answered.
    case freeze(String, Duration)
    /// `kill -9` of Redis, whose file is then as it was so long before: what a failure of power leaves of what was
    /// acknowledged, since the file is synced once in a second.
    case loseTail(Duration)
    /// The disk of the databases loses power, and with it the services that own them.
    case losePower(PowerDisk)
    /// PostgreSQL fails, which is no process of the stack.
    case database(DatabaseFault)

    /// The processes that are replaced, or hang meanwhile.
    package var processes: [String] {
        switch self {
        case .kill(let name), .terminate(let name), .freeze(let name, _): [name]
        case .loseTail: ["redis"]
        case .losePower: PowerDisk.users
        case .database: []
        }
    }

    package var description: String {
        switch self {
        case .kill(let name): "kill -9 of \(name)"
        case .terminate(let name): "SIGTERM of \(name)"
        case .freeze(let name, let time): "\(name) frozen for \(time)"
        case .loseTail(let time): "redis without its last \(time)"
        case .losePower: "power loss"
        case .database(let fault): fault.description
        }
    }

    /// Returns the responses of a round that this fault forbids.
    ///
    /// - Parameter start: when the history began.
    package func findings(in operations: [Operation], since start: ContinuousClock.Instant) -> [String] {
        switch self {
        case .database(.absentStandby(let standby)), .database(.failover(_, let standby)):
            standby.findings(in: operations, since: start)
        default: []
        }
    }

    /// Whether the process is another one afterwards.
    var replacesProcess: Bool { if case .freeze = self { false } else { true } }
}

extension LatchkeyStack {
    /// How long a stack may take to be ready again; the supervisor waits up to 5 s before a start.
    package static let recoveryLimit = Duration.seconds(30)

    /// Does the fault, and waits until the stack is ready again.
    ///
    /// - Returns: how long that took from the end of the fault: from the signal that ends or wakes the process.
    /// - Throws: `NeverTrue` when the stack is not ready within `recoveryLimit`.
    @discardableResult
    package func inflict(_ fault: ProcessFault) async throws -> Duration {
        let before = try processIDs
        let ended = try await disturb(fault)
        for process in fault.processes where fault.replacesProcess {
            try await eventually("\(process) starts again", within: Self.recoveryLimit) {
                let now = processID(of: process)
                return now != nil && now != before[process]
            }
        }
        try await untilReady(within: Self.recoveryLimit)
        return ContinuousClock.now - ended
    }

    private func disturb(_ fault: ProcessFault) async throws -> ContinuousClock.Instant {
        switch fault {
        case .kill(let name): try signal(name, SIGKILL)
        case .terminate(let name): try signal(name, SIGTERM)
        case .freeze(let name, let time):
            try signal(name, SIGSTOP)
            do { try await Task.sleep(for: time) } catch {
                try signal(name, SIGCONT)
                throw error
            }
            try signal(name, SIGCONT)
        case .loseTail(let time):
            let file = try RedisTail(in: dataDirectory)
            try await Task.sleep(for: time)
            // Stopped first, so that it writes nothing more while its file is cut.
            try signal("redis", SIGSTOP)
            try file.cut()
            try signal("redis", SIGKILL)
        case .losePower(let disk):
            // A stopped supervisor starts nothing while there is no disk.
            kill(supervisor, SIGSTOP)
            defer { kill(supervisor, SIGCONT) }
            // Without power no process answers. A service that continued could report success for a sync that is in
            // progress while the file system goes down, though its transaction is lost.
            for name in fault.processes { try signal(name, SIGSTOP) }
            try disk.cut()
            for name in fault.processes { try signal(name, SIGKILL) }
            try await disk.restore()
        case .database(let fault):
            guard let database else { throw NotReady(description: "the stack has no PostgreSQL") }
            try await fault.happen(to: database.server)
        }
        return .now
    }

    /// The processes that are not those of `before`, though `fault` did not touch them.
    package func unexpectedRestarts(since before: [String: pid_t], beside fault: ProcessFault) throws -> [String] {
        let now = try processIDs
        return Set(before.keys).union(now.keys).subtracting(fault.processes).sorted().filter { before[$0] != now[$0] }
    }
}
