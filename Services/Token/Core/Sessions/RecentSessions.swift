internal import Synchronization

/// Sessions as this process last saw them, so that a refresh that follows another seldom reads its row.
///
/// Whose a session is and what rules it never changes, and rows are never given to another one. All else may have changed
/// since, by a replica for instance: who acts on it makes that a condition of the act.
///
/// Bounded: each row has its place, which it shares with those a whole number of `countMax` away; the last one noted stays.
/// Rows are numbered as they come, so that those in use lie well spread.
final class RecentSessions: Sendable {
    /// Sessions that are remembered; together some 8 MB. A power of two.
    static let countMax = 8_192

    /// Alone in its memory: a place takes eight bytes.
    private final class Note: Sendable {
        let session: SessionRecord

        init(_ session: SessionRecord) { self.session = session }
    }

    private let places = Mutex([Note?](repeating: nil, count: countMax))
    private let store: any SessionStore

    init(store: any SessionStore) { self.store = store }

    /// The session in row `locator`; nil when there is none.
    func session(at locator: Int64) async throws -> SessionRecord? {
        let note = places.withLock { $0[Self.place(of: locator)] }
        if let session = note?.session, session.locator == locator { return session }
        return try await store.session(at: locator)
    }

    /// Notes how a session is now.
    func note(_ session: SessionRecord) {
        let note = Note(session)
        // The one before is given up after the lock.
        let former = places.withLock { exchange(&$0[Self.place(of: session.locator)], with: note) }
        withExtendedLifetime(former) {}
    }

    private static func place(of locator: Int64) -> Int { Int(truncatingIfNeeded: locator) & (countMax - 1) }
}
