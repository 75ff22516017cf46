internal import CryptoPrimitives
internal import InternalAPI
internal import Policies

/// A refresh token as it is presented.
struct RotationAttempt: Sendable {
    let token: RefreshToken
    let idempotencyKey: IdempotencyKey?
    /// Stands for the key when there is none: random, and the same for a repeat of the very call between our processes.
    let salt: [UInt8]
}

/// A rotation that is to be stored.
struct Rotation: Sendable, Equatable {
    let successor: RefreshToken
    /// Kept in the row to make the same successor again; zeros when the client's key does that.
    let salt: [UInt8]
    let idleExpiresAt: Int64
}

/// What a presented refresh token comes to.
enum RotationDecision: Sendable, Equatable {
    case rotate(Rotation)
    /// The lost answer again.
    case repeatAnswer(successor: RefreshToken)
    /// A spent token; `revokes` says whether the session ends with it.
    case reuse(revokes: Bool)
    /// A good tag on a token that we never gave out: 401, audited, nothing revoked.
    case impossible
    case refuse(RefreshResult)
}

/// The rotation table of design section 5: a pure function of the row, the token, the policy and the time.
enum RotationRule {
    static let saltByteCount = 16

    /// - Parameters:
    ///   - session: the row that the token's locator names, as it is in the transaction that acts on the decision; a decision to
    ///     rotate may come from an earlier look, if that transaction finds what it rests on unchanged.
    ///   - now: Unix time in seconds.
    static func judge(
        _ session: SessionRecord?, _ attempt: RotationAttempt, policy: RefreshPolicy, keys: RefreshTokenKeys, now: Int64
    ) -> RotationDecision {
        guard let session else { return .refuse(.unknown) }
        if let refusal = refusal(of: session, now: now) { return .refuse(refusal) }
        let generation = attempt.token.generation
        if generation == session.generation {
            guard constantTimeEqual(attempt.token.hash, session.currentHash) else { return .impossible }
            return rotate(session, attempt, policy: policy, keys: keys, now: now)
        }
        guard generation < session.generation else { return .impossible }
        // Older ones are known by their tag alone: no history is kept.
        guard generation == session.generation - 1 else { return .reuse(revokes: true) }
        guard constantTimeEqual(attempt.token.hash, session.previousHash) else { return .impossible }
        if let successor = lostAnswer(session, attempt, policy: policy, keys: keys, now: now) {
            return .repeatAnswer(successor: successor)
        }
        return .reuse(revokes: policy.onReuse == .revoke)
    }

    private static func refusal(of session: SessionRecord, now: Int64) -> RefreshResult? {
        if let reason = session.revokedFor { return reason == .inactive ? .inactive : .revoked }
        let isSpent = session.generation >= RefreshToken.generationMax
        return isSpent || now >= session.refreshExpiresAt ? .expired : nil
    }

    private static func rotate(
        _ session: SessionRecord, _ attempt: RotationAttempt, policy: RefreshPolicy, keys: RefreshTokenKeys, now: Int64
    ) -> RotationDecision {
        let key = attempt.idempotencyKey
        return .rotate(
            Rotation(
                successor: keys.newest.successor(of: attempt.token, seed: key?.bytes ?? attempt.salt),
                salt: key == nil ? attempt.salt : [UInt8](repeating: 0, count: saltByteCount),
                idleExpiresAt: policy.sliding ? now + policy.idleLifetimeSeconds : session.idleExpiresAt))
    }

    /// The successor, when the client may have it again: it is unused, the seed is the same, and the time is short.
    private static func lostAnswer(
        _ session: SessionRecord, _ attempt: RotationAttempt, policy: RefreshPolicy, keys: RefreshTokenKeys, now: Int64
    ) -> RefreshToken? {
        let sinceRotation = now - session.lastUsedAt
        let seed: [UInt8]
        let windowSeconds: Int64
        if let key = attempt.idempotencyKey {
            (seed, windowSeconds) = (key.bytes, IdempotencyKey.repeatSeconds)
        } else if constantTimeEqual(attempt.salt, session.salt) {
            (seed, windowSeconds) = (session.salt, IdempotencyKey.repeatSeconds)
        } else {
            guard policy.repeatWithoutKeySeconds > 0 else { return nil }
            (seed, windowSeconds) = (session.salt, policy.repeatWithoutKeySeconds)
        }
        guard sinceRotation <= windowSeconds else { return nil }
        return keys.successor(of: attempt.token, seed: seed, hash: session.currentHash)
    }
}
