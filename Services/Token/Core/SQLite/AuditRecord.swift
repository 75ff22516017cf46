internal import Foundation
internal import GRDB
internal import InternalAPI
internal import SQLiteStore

/// What the audit says of one act; written in the act's transaction (security guide R-102).
struct AuditRecord: Sendable {
    /// The acts by their names in the audit.
    enum Event: String, Sendable {
        case opened = "session.opened"
        case rotated = "session.rotated"
        case reused = "session.reused"
        /// A lost answer was had again long after it was lost.
        case repeatedLate = "session.repeated_late"
        case revoked = "session.revoked"
        /// A token that bears our tag and that we never gave out.
        case impossible = "token.impossible"
        case userRevoked = "user.revoked"
        case rightsChanged = "user.rights_changed"
        /// All that was kept of the user is gone, but for these records.
        case userRemoved = "user.removed"
        case keyMade = "key.made"
        case keyImported = "key.imported"
        case keyPublished = "key.published"
        case keySigning = "key.signing"
        case keyRetiring = "key.retiring"
        case keyGone = "key.gone"
        /// An operator's emergency: whatever the key signed is refused.
        case keyRevoked = "key.revoked"
        /// The file was restored: sessions and keys of before have ended.
        case epochBegun = "epoch.begun"

        /// A signing key has come into a state.
        static func entered(_ state: KeyState) -> Event {
            switch state {
            case .published: .keyPublished
            case .signing: .keySigning
            case .retiring: .keyRetiring
            case .gone: .keyGone
            }
        }
    }

    private static let chain = AuditChain(columns: ["at", "event", "user_id", "sid", "detail"])

    let event: Event
    var userID: DatabaseValue = .null
    var session: SessionID?
    /// A reason, a method, a generation, a `kid`; no secret, no number.
    var detail: String?

    func insert(at now: Int64, into database: Database) throws {
        try Self.chain.append(
            [
                now.databaseValue, event.rawValue.databaseValue, userID,
                session.map { Data($0.bytes) }.databaseValue, detail.databaseValue,
            ], in: database)
    }
}
