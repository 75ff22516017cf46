package import InternalAPI
import Synchronization

/// A gateway's copy of the revocation list, and how far it can be trusted now (design section 5, *Revocation*).
///
/// *Contact* is the monotonic time at which the newest answered read was sent: everything revoked before it is here.
package final class RevocationReplica: Sendable {
    /// How old contact may be for memory to answer.
    static let contactNanosecondsMax: UInt64 = 100_000_000

    package enum Answer: Sendable, Equatable {
        case live
        case revoked(RevocationReason)
        /// Contact is too old or the list incomplete: Redis has to be asked.
        case unknown
    }

    private struct State: Sendable {
        var list = RevocationList()
        var contact: UInt64?
        /// The newest contact ever, for people who want to know how old it is.
        var lastContact: UInt64 = 0
    }

    /// Entries that are taken in before waiting requests have their turn.
    private static let entriesPerTurnMax = 1000

    private let state = Mutex(State())

    /// Without entries and without contact.
    package init() {}

    /// What memory knows of a token.
    ///
    /// A revocation that is here stands whatever the age of contact.
    ///
    /// - Parameter now: monotonic nanoseconds.
    package func answer(for token: TokenIdentity, now: UInt64) -> Answer {
        state.withLock { state in
            if let reason = state.list.refusal(of: token) { return .revoked(reason) }
            guard let contact = state.contact, now < contact + Self.contactNanosecondsMax else { return .unknown }
            return .live
        }
    }

    /// Takes in what a read brought and stamps contact with the time at which it was sent.
    package func advance(_ revocations: [Revocation], sentAt: UInt64) {
        state.withLock { state in
            for revocation in revocations { state.list.apply(revocation) }
            state.contact = max(state.contact ?? 0, sentAt)
            state.lastContact = max(state.lastContact, sentAt)
        }
    }

    /// Takes the place of the list by a complete one; entries that came meanwhile stay.
    func reload(_ revocations: [Revocation], sentAt: UInt64, now: Int64) {
        var rest = revocations[...]
        while !rest.isEmpty {
            state.withLock { state in
                for revocation in rest.prefix(Self.entriesPerTurnMax) { state.list.apply(revocation) }
            }
            rest = rest.dropFirst(Self.entriesPerTurnMax)
        }
        state.withLock { state in
            state.list.removeExpired(now: now)
            state.contact = sentAt
            state.lastContact = max(state.lastContact, sentAt)
        }
    }

    /// The list at Redis may be incomplete: memory answers for nobody until the next reload.
    func loseContact() {
        state.withLock { $0.contact = nil }
    }

    /// Forgets entries that have expired.
    func removeExpired(now: Int64) {
        state.withLock { $0.list.removeExpired(now: now) }
    }

    /// Entries held.
    var count: Int { state.withLock { $0.list.count } }

    /// How long ago contact was last made.
    func ageSeconds(now: UInt64) -> Double {
        let last = state.withLock { $0.lastContact }
        return now > last ? Double(now - last) / 1_000_000_000 : 0
    }

    /// Whether memory answers now.
    var isReady: Bool { isInContact(now: MonotonicTime.nanoseconds()) }

    /// Whether the newest answered read was sent less than 100 ms ago.
    func isInContact(now: UInt64) -> Bool {
        state.withLock { state in state.contact.map { now < $0 + Self.contactNanosecondsMax } ?? false }
    }
}
