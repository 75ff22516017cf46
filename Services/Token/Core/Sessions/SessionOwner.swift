internal import Synchronization

/// Whose a session is, and what rules it; neither ever changes.
struct SessionOwner: Sendable, Equatable {
    let userID: String
    let dialect: String
}

/// The owners of sessions that were refreshed lately, so that the refresh limit, which is the user's and is counted
/// before the rotation, seldom costs a read.
///
/// Rows are never given to another session, so that nothing here can grow old. Bounded: two generations take turns.
final class SessionOwners: Sendable {
    /// Sessions of one generation; both together take about 8 MB.
    static let countMax = 32_768

    private struct State {
        var current: [Int64: SessionOwner] = [:]
        var previous: [Int64: SessionOwner] = [:]
    }

    private let state = Mutex(State())
    private let store: any SessionStore

    init(store: any SessionStore) { self.store = store }

    /// The owner of the session in row `locator`; nil when there is none.
    func owner(of locator: Int64) async throws -> SessionOwner? {
        if let known = state.withLock({ $0.current[locator] ?? $0.previous[locator] }) { return known }
        guard let owner = try await store.owner(of: locator) else { return nil }
        state.withLock { state in
            if state.current.count >= Self.countMax { (state.current, state.previous) = ([:], state.current) }
            state.current[locator] = owner
        }
        return owner
    }
}
