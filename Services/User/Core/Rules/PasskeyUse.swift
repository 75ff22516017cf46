import CryptoPrimitives
import InternalAPI
import WebAuthn

extension ShownPasskey {
    /// Decides on the use of the passkey, which is not a repeat.
    ///
    /// - Parameters:
    ///   - facts: the facts of the passkey.
    ///   - now: Unix time in seconds.
    func judge(_ facts: UserFacts, _ now: Int64) -> PasskeyJudgement {
        guard let user = facts.holder, let stored = facts.passkey else { return .refused(.unknown) }
        if let refusal = stored.refusal(for: user, now) { return .refused(refusal) }
        guard assertion.isBackupEligible || !stored.record.isBackupEligible else { return .refused(.backupEligibility) }
        return switch assertion.counter(after: stored.record.signCount) {
        case .plausible: .admitted(stored, isCopy: false)
        case .ofSyncedCopy: .admitted(stored, isCopy: true)
        case .ofClone: .refused(.counter)
        }
    }

    /// The changes that note the use of the passkey.
    func use(
        _ stored: StoredPasskey, by user: User, isCopy: Bool, _ origin: RequestOrigin, _ now: Int64
    ) -> [UserChange] {
        var used = stored
        used.record.signCount = max(stored.record.signCount, assertion.signCount)
        (used.record.isBackupEligible, used.record.isBackedUp) = (
            assertion.isBackupEligible, assertion.isBackedUp
        )
        used.lastUsedAt = now
        let id = Hex.encode(stored.id)
        return [.notePasskeyUse(used)]
            + (kind == .restore ? [.audit(AuditEntry(.passkeyRestored, user, origin, detail: id))] : [])
            + (isCopy ? [.audit(AuditEntry(.passkeyCounter, user, origin, detail: "synced copy"))] : [])
    }
}

/// The decision on the use of a passkey.
enum PasskeyJudgement: Sendable, Equatable {
    /// - isCopy: whether the counter of a synced key has not risen.
    case admitted(StoredPasskey, isCopy: Bool)
    case refused(PasskeyRefusal)
}

/// Why a passkey with a valid assertion is refused; the raw value is the reason in the audit.
enum PasskeyRefusal: String, Error, Sendable {
    /// It was removed, or its account may have none.
    case unknown
    /// It waits for its time.
    case waiting
    /// A restore key from before a revocation of all sessions.
    case outdated
    case backupEligibility = "backup_eligibility"
    /// The counter shows that the key may have been copied.
    case counter
}

extension StoredPasskey {
    /// Why the passkey cannot be used at all, or `nil` if it can.
    func refusal(for user: User, _ now: Int64) -> PasskeyRefusal? {
        if user.isForReview { return .unknown }
        if activeFrom > now { return .waiting }
        return isValid(for: user, now) ? nil : .outdated
    }
}
