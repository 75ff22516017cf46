/// A fault of the PostgreSQL that a stack keeps its data in, or of the connections to it.
package enum DatabaseFault: Sendable, CustomStringConvertible {
    /// `kill -9` of all its processes; it starts again after the time.
    case kill(Duration)
    /// SIGSTOP of all its processes, and SIGCONT after the time.
    case freeze(Duration)
    /// For the time no byte is free on its disk.
    case fullDisk(Duration)
    /// For the time it accepts no writes, as a standby does.
    case readOnly(Duration)
    /// Connections of sign-ins and refreshes are cut around COMMIT, so many.
    case cuts(CommitCutter, count: Int)
    case absentStandby(AbsentStandby)
    /// The standby is down, waits for it are cancelled, the primary is lost, and the standby takes its place.
    case failover(to: PostgreSQLServer, AbsentStandby)
    /// The primary is lost, the standby takes its place, and the primary comes back.
    case failoverWithoutFence(to: PostgreSQLServer)
    /// The primary is frozen, the standby takes its place, and the primary wakes up.
    case thawingPrimary(to: PostgreSQLServer)

    package var description: String {
        switch self {
        case .kill(let time): "kill -9 of PostgreSQL, which starts again after \(time)"
        case .freeze(let time): "PostgreSQL frozen for \(time)"
        case .fullDisk(let time): "PostgreSQL's disk full for \(time)"
        case .readOnly(let time): "PostgreSQL read-only for \(time)"
        case .cuts(_, let count): "\(count) connections cut around COMMIT"
        case .absentStandby(let standby): "\(standby.waits) cancelled waits for a standby that does not exist"
        case .failoverWithoutFence: "a failover without a fence"
        case .thawingPrimary: "a primary that thaws after its failover"
        case .failover(_, let absent): "a failover after \(absent.waits) cancelled waits"
        }
    }

    /// Does it; the server serves again when this returns.
    func happen(to server: PostgreSQLServer) async throws {
        switch self {
        case .kill(let time):
            try await server.kill()
            try await Task.sleep(for: time)
            try await server.launch()
        case .freeze(let time):
            try server.freeze()
            try await Self.after(time) { try server.thaw() }
        case .fullDisk(let time):
            try await server.fillDisk()
            try await Self.after(time) { try await server.emptyDisk() }
            // Without room for its log it ends itself.
            try await server.revive()
        case .readOnly(let time):
            try server.set("default_transaction_read_only = on")
            try await Self.after(time) { try server.set("default_transaction_read_only = off") }
        case .cuts(let cutter, let count): try await cutter.cut(count)
        case .absentStandby(let standby): try await standby.happen(to: server)
        case .failover(let standby, let absent):
            // Not frozen: what is in its socket would still arrive.
            try await standby.kill()
            if absent.waits > 0 { try await absent.cancel(server) } else { try await Task.sleep(for: .seconds(1)) }
            try await server.kill()
            try await standby.launch()
            try await standby.promote()
        case .failoverWithoutFence(let standby):
            try await server.kill()
            try await standby.promote()
            try await Task.sleep(for: Self.newPrimaryAlone)
            try await server.launch()
            try await Self.leadBack(from: standby)
        case .thawingPrimary(let standby):
            try server.freeze()
            try await Self.after(Self.newPrimaryAlone) {
                try server.thaw()
            } before: {
                try await standby.promote()
            }
            try await Self.leadBack(from: standby)
        }
    }

    /// How long only the new primary answers: long enough for sign-ins that the old one does not know.
    private static let newPrimaryAlone = Duration.seconds(4)
    private static let returns = 6

    /// Closes the services' connections to the new primary again and again, so that the next attempt begins at the old one.
    private static func leadBack(from standby: PostgreSQLServer) async throws {
        for _ in 0..<returns {
            _ = try await standby.psql(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name LIKE 'latchkey%'")
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    /// Runs `end` after the time, also when the test is cancelled meanwhile.
    private static func after(
        _ time: Duration, _ end: () async throws -> Void, before: () async throws -> Void = {}
    ) async throws {
        do {
            try await before()
            try await Task.sleep(for: time)
        } catch {
            try await end()
            throw error
        }
        try await end()
    }
}
