package import InternalAPI

/// The acts by their names in the audit; each is recorded together with what it did (security guide R-102).
package enum AuditEvent: String, Sendable {
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
    package static func entered(_ state: KeyState) -> AuditEvent {
        switch state {
        case .published: .keyPublished
        case .signing: .keySigning
        case .retiring: .keyRetiring
        case .gone: .keyGone
        }
    }
}
