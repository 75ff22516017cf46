import Synchronization

/// Commits of PostgreSQL that wait for a standby which does not exist, and whose waits an administrator cancels.
package final class AbsentStandby: Sendable {
    /// How many waits are cancelled.
    let waits: Int
    private let time = Mutex<(begin: ContinuousClock.Instant, end: ContinuousClock.Instant)?>(nil)

    package init(waits: Int) { self.waits = waits }

    /// Names a standby, cancels the waits of commits, or closes their connections by turns, and names no standby again.
    func happen(to server: PostgreSQLServer) async throws {
        try server.set("synchronous_standby_names = 'nobody'")
        do { try await cancel(server) } catch {
            try server.set("synchronous_standby_names = ''")
            throw error
        }
        try server.set("synchronous_standby_names = ''")
    }

    /// Cancels the waits of commits, or closes their connections, by turns.
    func cancel(_ server: PostgreSQLServer) async throws {
        // Once one waits, all that begin later do.
        try await eventually("a commit waits") { try await server.psql(Self.waiting("pid")) != "0" }
        let begin = ContinuousClock.now
        var (cancelled, turn) = (0, 0)
        try await eventually("\(waits) waits are cancelled", within: .seconds(120)) {
            turn += 1
            let act = turn % 4 == 0 ? "pg_terminate_backend(pid)" : "pg_cancel_backend(pid)"
            cancelled += Int(try await server.psql(Self.waiting(act))) ?? 0
            return cancelled >= waits
        }
        time.withLock { $0 = (begin, .now) }
    }

    private static func waiting(_ act: String) -> String {
        "SELECT count(\(act)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    }

    /// Returns the changes that were requested while each commit had to wait, and were answered with success all the same.
    ///
    /// - Parameter start: when the history began.
    func findings(in operations: [Operation], since start: ContinuousClock.Instant) -> [String] {
        guard let (begin, end) = time.withLock({ $0 }) else { return [] }
        return operations.filter {
            guard $0.kind != .call, $0.outcome.isSuccess, let completed = $0.completed else { return false }
            return start + $0.invoked > begin && start + completed < end
        }.map { "\($0.kind.rawValue) was answered with success while no commit could be on a standby" }
    }
}
