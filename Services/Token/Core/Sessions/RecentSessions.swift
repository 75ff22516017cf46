internal import Synchronization

/// Sessions as this process last saw them, so that a refresh that follows another seldom reads its row.
///
/// Whose a session is and what rules it never changes, and rows are never given to another one. All else may have changed
/// since, by a replica for instance: who acts on it makes that a condition of the act.
///
/// Bounded: two generations take turns.
final class RecentSessions: Sendable {
    /// Sessions of one generation; both together take about 8 MB.
    static let countMax = 4_096

    private struct State {
        var current: [Int64: SessionRecord] = [:]
        var previous: [Int64: SessionRecord] = [:]
    }

    private let state = Mutex(State())
    private let store: any SessionStore

    init(store: any SessionStore) { self.store = store }

    /// The session in row `locator`; nil when there is none.
    func session(at locator: Int64) async throws -> SessionRecord? {
        if let known = state.withLock({ $0.current[locator] ?? $0.previous[locator] }) { return known }
        return try await store.session(at: locator)
    }

    /// Notes how a session is now.
    func note(_ session: SessionRecord) {
        state.withLock { state in
            if state.current.count >= Self.countMax, state.current[session.locator] == nil {
                (state.current, state.previous) = ([:], state.current)
            }
            state.current[session.locator] = session
        }
    }
}
