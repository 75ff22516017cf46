import CryptoPrimitives
import Synchronization

/// The open sessions, in memory only, by the values of the browsers' cookies.
final class AdminSessions: Sendable {
    /// The most sessions. One more replaces the one that was used longest ago.
    static let countMax = 200
    /// How long an unused session stays, and how long any does.
    static let idleTime: Duration = .seconds(1_800)
    static let wholeTime: Duration = .seconds(43_200)

    private struct Entry {
        let session: AdminSession
        let openedAt: ContinuousClock.Instant
        var usedAt: ContinuousClock.Instant

        func isOpen(at now: ContinuousClock.Instant) -> Bool {
            now < usedAt + AdminSessions.idleTime && now < openedAt + AdminSessions.wholeTime
        }
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// Keeps a session, and returns the value of its cookie.
    func open(_ session: AdminSession, at now: ContinuousClock.Instant = .now) -> String {
        let id = Base64URL.encode(SecureRandom.bytes(32))
        entries.withLock { entries in
            entries = entries.filter { $0.value.isOpen(at: now) }
            if entries.count >= Self.countMax, let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt }) {
                entries[oldest.key] = nil
            }
            entries[id] = Entry(session: session, openedAt: now, usedAt: now)
        }
        return id
    }

    /// Returns the session of a cookie's value, which counts as a use, or `nil` if there is none, or none any more.
    func find(_ id: String, at now: ContinuousClock.Instant = .now) -> AdminSession? {
        entries.withLock { entries in
            guard var entry = entries[id], entry.isOpen(at: now) else {
                entries[id] = nil
                return nil
            }
            entry.usedAt = now
            entries[id] = entry
            return entry.session
        }
    }

    func close(_ id: String) { entries.withLock { _ = $0.removeValue(forKey: id) } }

    var count: Int { entries.withLock(\.count) }
}
