package import InternalAPI
import Synchronization

/// A gateway's copy of the revocation list, and how far it can be trusted now (design section 5, *Revocation*).
///
/// *Contact* is the monotonic time at which the newest successful read was sent. Everything revoked before it is in the copy.
package final class RevocationReplica: Sendable {
    /// The greatest age of contact at which the copy answers.
    static let contactNanosecondsMax: UInt64 = 100_000_000

    package enum Answer: Sendable, Equatable {
        case live
        case revoked(RevocationReason)
        /// Contact is too old or the list is incomplete, so Redis has to be asked.
        case unknown
    }

    private struct State: Sendable {
        var list = RevocationList()
        var contact: UInt64?
        /// The newest contact ever, to report its age.
        var lastContact: UInt64 = 0
    }

    /// The number of entries that are applied before waiting requests have their turn.
    private static let entriesPerTurnMax = 1000

    private let state = Mutex(State())

    /// Creates a replica without entries and without contact.
    package init() {}

    /// Returns what the copy knows of a token.
    ///
    /// A revocation in the copy applies whatever the age of contact.
    ///
    /// - Parameter now: the time in monotonic nanoseconds.
    package func answer(for token: TokenIdentity, now: UInt64) -> Answer {
        state.withLock { state in
            if let reason = state.list.refusal(of: token) { return .revoked(reason) }
            guard let contact = state.contact, now < contact + Self.contactNanosecondsMax else { return .unknown }
            return .live
        }
    }

    /// Applies the entries of a read and sets contact to the time at which it was sent.
    package func advance(_ revocations: [Revocation], sentAt: UInt64) {
        state.withLock { state in
            for revocation in revocations { state.list.apply(revocation) }
            state.contact = max(state.contact ?? 0, sentAt)
            state.lastContact = max(state.lastContact, sentAt)
        }
    }

    /// Replaces the list by a complete one; entries that arrived meanwhile stay.
    ///
    /// - Parameter now: Unix time in seconds; `nil` if expired entries stay.
    func reload(_ revocations: [Revocation], sentAt: UInt64, now: Int64?) {
        var rest = revocations[...]
        while !rest.isEmpty {
            state.withLock { state in
                for revocation in rest.prefix(Self.entriesPerTurnMax) { state.list.apply(revocation) }
            }
            rest = rest.dropFirst(Self.entriesPerTurnMax)
        }
        state.withLock { state in
            if let now { state.list.removeExpired(now: now) }
            state.contact = sentAt
            state.lastContact = max(state.lastContact, sentAt)
        }
    }

    /// Notes that the list in Redis may be incomplete. The copy then confirms no token until the next reload.
    func loseContact() {
        state.withLock { $0.contact = nil }
    }

    /// Removes entries that have expired.
    func removeExpired(now: Int64) {
        state.withLock { $0.list.removeExpired(now: now) }
    }

    /// The number of entries.
    var count: Int { state.withLock { $0.list.count } }

    /// Returns the seconds since the last contact.
    func ageSeconds(now: UInt64) -> Double {
        let last = state.withLock { $0.lastContact }
        return now > last ? Double(now - last) / 1_000_000_000 : 0
    }

    /// Whether the copy answers now.
    var isReady: Bool { isInContact(now: MonotonicTime.nanoseconds()) }

    /// Whether the newest successful read was sent less than 100 ms ago.
    func isInContact(now: UInt64) -> Bool {
        state.withLock { state in state.contact.map { now < $0 + Self.contactNanosecondsMax } ?? false }
    }
}
