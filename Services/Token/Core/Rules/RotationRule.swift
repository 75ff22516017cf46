import CryptoPrimitives
import InternalAPI
import Policies

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
    /// Kept in the row: what the successor was made from when the client gave no key, else the key's mark.
    let salt: [UInt8]
    let idleExpiresAt: Int64
}

/// What a presented refresh token comes to.
enum RotationDecision: Sendable, Equatable {
    case rotate(Rotation)
    /// The lost answer again; `late` is set if it is repeated later than a slow network explains.
    case repeatAnswer(successor: RefreshToken, late: LateRepeats? = nil)
    /// A spent token; `revokes` says whether the session ends with it.
    case reuse(revokes: Bool)
    /// A copy of a request whose answer has arrived: refused and audited, nothing revoked.
    case lateCopy
    /// A good tag on a token that we never gave out: 401, audited, nothing revoked.
    case impossible
    /// The key made the very token that it comes with: 400, nothing spent.
    case spentKey
    case refuse(RefreshResult)
}

/// A decision with what the token that goes out with it needs.
struct RotationVerdict: Sendable, Equatable {
    let decision: RotationDecision
    /// When the access token expires that the answer carries.
    let accessExpiresAt: Int64
    /// An audit record of it was written within the hour.
    var isOnRecord = false

    /// What of the decision is to be stored; nil when nothing is.
    var change: SessionChange? {
        switch decision {
        case .rotate(let rotation):
            .rotate(
                NextToken(
                    hash: rotation.successor.hash, generation: rotation.successor.generation, salt: rotation.salt,
                    idleExpiresAt: rotation.idleExpiresAt, accessExpiresAt: accessExpiresAt))
        case .repeatAnswer(_, let late):
            .answerAgain(accessExpiresAt: accessExpiresAt, late: isOnRecord ? nil : late)
        case .reuse(revokes: false) where isOnRecord: nil
        case .lateCopy where isOnRecord: nil
        case .reuse(let revokes): .reused(ends: revokes)
        case .lateCopy: .lateCopy
        case .impossible: .impossible
        case .spentKey, .refuse: nil
        }
    }
}

/// What a spent token of a living session can leave in the audit as often as it comes.
enum RepeatableRecord { case reuse, lateCopy, lateRepeat }

extension RotationDecision {
    /// Nil when the audit has nothing of it, or when it can be but once.
    var repeatableRecord: RepeatableRecord? {
        switch self {
        case .reuse(revokes: false): .reuse
        case .lateCopy: .lateCopy
        case .repeatAnswer(_, late: .some): .lateRepeat
        case .rotate, .repeatAnswer, .reuse, .impossible, .spentKey, .refuse: nil
        }
    }

    /// How long the access token lives that goes out with the decision, if one does.
    func accessLifetimeSeconds(under profile: TokenProfile) -> Int64 {
        guard case .repeatAnswer(_, late: .some) = self else { return profile.accessLifetimeSeconds }
        return min(profile.accessLifetimeSeconds, RotationRule.lateAccessLifetimeSeconds)
    }
}

/// The rotation table of design section 5: a pure function of the row, the token, the policy and the time.
enum RotationRule {
    static let saltByteCount = 16
    /// How long after the use of a successor a copy of the request that brought it may still arrive, in seconds. A request
    /// lives 20 s in our client libraries; HTTP stacks repeat it later than that.
    static let lateCopySeconds: Int64 = 60
    /// How long an access token lives at most that a late repeat brings: whoever goes on must rotate soon, and there
    /// theft shows.
    static let lateAccessLifetimeSeconds: Int64 = 300

    /// - Parameters:
    ///   - session: the row that the token's locator names; whoever acts on the decision does so only if it is unchanged.
    ///   - now: Unix time in seconds.
    static func judge(
        _ session: SessionRecord?, _ attempt: RotationAttempt, policy: RefreshPolicy, keys: RefreshTokenKeys, now: Int64
    ) -> RotationDecision {
        guard let session else { return .refuse(.unknown) }
        if let refusal = refusal(of: session, now: now) { return .refuse(refusal) }
        let generation = attempt.token.generation
        guard generation <= session.generation else { return .impossible }
        switch session.generation - generation {
        case 0:
            guard constantTimeEqual(attempt.token.hash, session.currentHash) else { return .impossible }
            return rotate(session, attempt, policy: policy, keys: keys, now: now)
        case 1:
            guard constantTimeEqual(attempt.token.hash, session.previousHash) else { return .impossible }
            return repeated(session, attempt, policy: policy, keys: keys, now: now)
                ?? .reuse(revokes: policy.onReuse == .revoke)
        case 2 where isLateCopy(session, attempt, keys: keys, now: now): return .lateCopy
        // Older ones are known by their tag alone: no history is kept.
        default: return .reuse(revokes: policy.onReuse == .revoke)
        }
    }

    /// Why no token of the session is good for anything any more; nil when one may be.
    static func refusal(of session: SessionRecord, now: Int64) -> RefreshResult? {
        if let reason = session.revokedFor { return reason == .inactive ? .inactive : .revoked }
        let isSpent = session.generation >= RefreshToken.generationMax
        return isSpent || now >= session.refreshExpiresAt ? .expired : nil
    }

    private static func rotate(
        _ session: SessionRecord, _ attempt: RotationAttempt, policy: RefreshPolicy, keys: RefreshTokenKeys, now: Int64
    ) -> RotationDecision {
        let key = attempt.idempotencyKey
        // With one key for all its rotations a thief would keep step with the owner, and neither would ever come late.
        if let key, constantTimeEqual(key.mark, session.salt) { return .spentKey }
        return .rotate(
            Rotation(
                successor: keys.newest.successor(of: attempt.token, seed: key?.bytes ?? attempt.salt),
                salt: key?.mark ?? attempt.salt,
                idleExpiresAt: policy.sliding ? now + policy.idleLifetimeSeconds : session.idleExpiresAt))
    }

    /// The lost answer, when the client may have it again: its successor is unused, and made from the same seed.
    private static func repeated(
        _ session: SessionRecord, _ attempt: RotationAttempt, policy: RefreshPolicy, keys: RefreshTokenKeys, now: Int64
    ) -> RotationDecision? {
        let sinceRotation = now - session.lastUsedAt
        let seed: [UInt8]
        if let key = attempt.idempotencyKey {
            seed = key.bytes
        } else {
            guard let limitSeconds = limitSecondsWithoutKey(session, attempt, policy), sinceRotation <= limitSeconds
            else { return nil }
            seed = session.salt
        }
        guard let successor = keys.successor(of: attempt.token, seed: seed, hash: session.currentHash) else {
            return nil
        }
        guard sinceRotation > IdempotencyKey.repeatSeconds else { return .repeatAnswer(successor: successor) }
        let late = session.lateRepeats.counting(generation: session.generation)
        if let max = policy.lateRepeatsMax, late.count >= max { return .reuse(revokes: true) }
        return .repeatAnswer(successor: successor, late: late)
    }

    /// How long the answer may be had again without a key; nil: never.
    private static func limitSecondsWithoutKey(
        _ session: SessionRecord, _ attempt: RotationAttempt, _ policy: RefreshPolicy
    ) -> Int64? {
        // Our own processes may repeat the very call that rotated, whatever the policy grants to clients.
        let isSameCall = constantTimeEqual(attempt.salt, session.salt)
        let seconds = max(isSameCall ? IdempotencyKey.repeatSeconds : 0, policy.repeatWithoutKeySeconds)
        return seconds > 0 ? seconds : nil
    }

    /// Whether a copy of an answered request comes in behind the next rotation: its own key proves that it is one, and the
    /// next rotation was just now. Later, the owner's own copies are long gone.
    private static func isLateCopy(
        _ session: SessionRecord, _ attempt: RotationAttempt, keys: RefreshTokenKeys, now: Int64
    ) -> Bool {
        guard let key = attempt.idempotencyKey, now - session.lastUsedAt < lateCopySeconds else { return false }
        return keys.successor(of: attempt.token, seed: key.bytes, hash: session.previousHash) != nil
    }
}
