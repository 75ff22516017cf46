import InternalAPI

/// The change of a session to which a refresh token was presented. Each one leaves its audit record.
package enum SessionChange: Sendable, Equatable {
    /// A new refresh token replaces the current one.
    case rotate(NextToken)
    /// The current tokens are sent again; `late` is set if that is to be counted and audited, and `marks` if they change.
    case answerAgain(accessExpiresAt: Int64, late: LateRepeats? = nil, marks: RotationMarks? = nil)
    /// A used token was presented; `ends` states whether the session is revoked.
    case reused(ends: Bool)
    /// A copy of a request arrived whose response had arrived.
    case lateCopy
    /// A token with our tag was presented that was never issued.
    case impossible
}

/// The next refresh token in a session's row; times are Unix seconds.
package struct NextToken: Sendable, Equatable {
    /// SHA-256 of the token.
    package let hash: [UInt8]
    package let generation: Int64
    /// The bytes from which it was made if the client sent no key, otherwise the key's mark.
    package let salt: [UInt8]
    package let idleExpiresAt: Int64
    /// The expiry of the access token issued with it.
    package let accessExpiresAt: Int64
    /// The new marks; `nil` if they stay.
    package let marks: RotationMarks?

    package init(
        hash: [UInt8], generation: Int64, salt: [UInt8], idleExpiresAt: Int64, accessExpiresAt: Int64,
        marks: RotationMarks? = nil
    ) {
        self.hash = hash
        self.generation = generation
        self.salt = salt
        self.idleExpiresAt = idleExpiresAt
        self.accessExpiresAt = accessExpiresAt
        self.marks = marks
    }
}

extension SessionRecord {
    /// Returns the record after `change`, as it is in the database then.
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
            record.marks = next.marks ?? marks
        case .answerAgain(let accessExpiresAt, let late, let marks):
            record.accessExpiresAt = max(self.accessExpiresAt, accessExpiresAt)
            record.lateRepeats = late ?? lateRepeats
            record.marks = marks ?? self.marks
        case .reused(ends: true): record.revokedFor = .reuse
        case .reused, .lateCopy, .impossible: break
        }
        return record
    }
}
