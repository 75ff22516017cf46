package import InternalAPI

/// The operations under their names in the audit. Each is recorded together with its change (security guide R-102).
package enum AuditEvent: String, Sendable, CaseIterable {
    case opened = "session.opened"
    /// Another user began to act as the session's user. The detail states who.
    case acting = "session.acting"
    case rotated = "session.rotated"
    case reused = "session.reused"
    /// A lost response was fetched again long after it was lost.
    case repeatedLate = "session.repeated_late"
    /// The user has shown again who they are. The detail states the method.
    case reauthenticated = "session.reauthenticated"
    /// The user has shown a second factor, so that the session is at `aal2` now. The detail states the method.
    case steppedUp = "session.stepped_up"
    case revoked = "session.revoked"
    /// A token with our tag that was never issued.
    case impossible = "token.impossible"
    case userRevoked = "user.revoked"
    case rightsChanged = "user.rights_changed"
    /// All data of the user is gone, except for these records.
    case userRemoved = "user.removed"
    case keyMade = "key.made"
    case keyImported = "key.imported"
    case keyPublished = "key.published"
    case keySigning = "key.signing"
    case keyRetiring = "key.retiring"
    case keyGone = "key.gone"
    /// An operator's emergency: every token that the key signed is refused.
    case keyRevoked = "key.revoked"
    /// An operator has read a user's sessions, the signing keys or the audit. user-service's records have the same name.
    case lookedUp = "user.looked_up"
    /// The database was restored, which revoked all earlier sessions and keys.
    case epochBegun = "epoch.begun"

    /// Returns the event for a signing key that has entered a state.
    package static func entered(_ state: KeyState) -> AuditEvent {
        switch state {
        case .published: .keyPublished
        case .signing: .keySigning
        case .retiring: .keyRetiring
        case .gone: .keyGone
        }
    }
}
