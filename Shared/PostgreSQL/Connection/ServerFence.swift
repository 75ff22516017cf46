import Logging
import Synchronization

/// The rank of the newest server that a process knows. Connections to older ones are refused and closed: such a server does not
/// know the sessions that began after another one was promoted.
final class ServerFence: Sendable {
    private struct State {
        var highest: Int64?
        var hasAskedAll = false
        var hasWarned = false
    }

    private let state = Mutex(State())

    /// Whether this is the first call.
    func beginAskingAll() -> Bool {
        state.withLock { state in
            defer { state.hasAskedAll = true }
            return !state.hasAskedAll
        }
    }

    /// Admits a server, and notes its rank.
    ///
    /// - Returns: The rank; `nil` if the server is not checked.
    /// - Throws: `lost` for a server that must not be used, so that the next host is tried.
    func admit(
        _ reply: ServerIdentity.Reply, schema: String, place: String, _ logger: Logger
    ) throws(PostgreSQLError) -> Int64? {
        guard case .stated(let identity) = reply else {
            if reply == .unsupported { warn(logger) }
            return nil
        }
        let verdict = state.withLock { state in
            let verdict = identity.judge(highest: state.highest)
            if case .accepted(let rank) = verdict { state.highest = rank }
            return verdict
        }
        switch verdict {
        case .accepted(let rank): return rank
        case .unchecked: return nil
        case .replaced:
            throw PostgreSQLError(.lost, "\(place) is a primary that another server has replaced. Switch it off")
        case .otherServer:
            throw PostgreSQLError(
                .lost,
                "\(place) is not the server that the schema \(schema) was made for. After a restore, run latchkeyctl database "
                    + "begin-epoch; after a move without loss, latchkeyctl database migrate with the schema's owner")
        }
    }

    /// Whether another server has replaced that of a connection.
    func isReplaced(_ rank: Int64?) -> Bool {
        guard let rank else { return false }
        return state.withLock { $0.highest.map { rank < $0 } ?? false }
    }

    /// Notes a rank that another process has seen, and returns the highest.
    func exchange(_ other: Int64?) -> Int64? {
        state.withLock { state in
            if let other { state.highest = max(state.highest ?? other, other) }
            return state.highest
        }
    }

    private func warn(_ logger: Logger) {
        let isFirst = state.withLock { state in
            defer { state.hasWarned = true }
            return !state.hasWarned
        }
        guard isFirst else { return }
        logger.warning(
            "postgresql.server_not_checked",
            metadata: [
                "finding":
                    "the server does not offer pg_control_system() to this role, so a primary that was replaced is not recognised"
            ])
    }
}
