import InternalAPI

/// What becomes of a session to which a refresh token was presented; each leaves its audit record.
package enum SessionChange: Sendable, Equatable {
    /// Another refresh token takes the place of the present one.
    case rotate(NextToken)
    /// The present tokens go out again; `late` is set if that is to be counted and audited.
    case answerAgain(accessExpiresAt: Int64, late: LateRepeats? = nil)
    /// A spent token came; `ends` says whether the session ends with it.
    case reused(ends: Bool)
    /// A copy of a request whose answer has arrived.
    case lateCopy
    /// A token that bears our tag and that we never gave out.
    case impossible
}

/// What a session's row holds of its next refresh token; times are Unix seconds.
package struct NextToken: Sendable, Equatable {
    /// SHA-256 of the token.
    package let hash: [UInt8]
    package let generation: Int64
    /// What it was made from when the client gave no key, else the key's mark.
    package let salt: [UInt8]
    package let idleExpiresAt: Int64
    /// When the access token expires that goes out with it.
    package let accessExpiresAt: Int64

    package init(hash: [UInt8], generation: Int64, salt: [UInt8], idleExpiresAt: Int64, accessExpiresAt: Int64) {
        self.hash = hash
        self.generation = generation
        self.salt = salt
        self.idleExpiresAt = idleExpiresAt
        self.accessExpiresAt = accessExpiresAt
    }
}

extension SessionRecord {
    /// The record as `change` leaves it; what the database then holds.
    ///
    /// - Parameter now: Unix time in seconds.
    package func after(_ change: SessionChange, now: Int64) -> SessionRecord {
        var record = self
        switch change {
        case .rotate(let next):
            record.previousHash = currentHash
            record.currentHash = next.hash
            record.generation = next.generation
            record.salt = next.salt
            record.lastUsedAt = now
            record.idleExpiresAt = next.idleExpiresAt
            record.accessExpiresAt = max(accessExpiresAt, next.accessExpiresAt)
        case .answerAgain(let accessExpiresAt, let late):
            record.accessExpiresAt = max(self.accessExpiresAt, accessExpiresAt)
            record.lateRepeats = late ?? lateRepeats
        case .reused(ends: true): record.revokedFor = .reuse
        case .reused, .lateCopy, .impossible: break
        }
        return record
    }
}
