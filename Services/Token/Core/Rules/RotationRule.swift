import CryptoPrimitives
import InternalAPI
import Policies

/// A presented refresh token with its request.
struct RotationAttempt: Sendable {
    let token: RefreshToken
    let idempotencyKey: IdempotencyKey?
    /// The random bytes that replace a missing key. A repeat of the very call between our processes has the same bytes.
    let salt: [UInt8]
    /// The page that presents the token with its secret; `nil` if the session is an app's.
    var page: PresentingPage?
}

/// A page that has shown its secret.
struct PresentingPage: Sendable {
    let key: PageKey
    /// How long before the newest rotation another tab may have replaced the token, in seconds.
    let lateTabSeconds: Int64
}

/// A rotation to be stored.
struct Rotation: Sendable, Equatable {
    let successor: RefreshToken
    /// The bytes stored in the row: those from which the successor was made if the client sent no key, otherwise the key's mark.
    let salt: [UInt8]
    let idleExpiresAt: Int64
    /// The new marks of a page's session.
    var marks: RotationMarks?
}

/// The outcome of presenting a refresh token.
enum RotationVerdict: Sendable, Equatable {
    case rotate(Rotation)
    /// The lost response is sent again, or a late tab gets the newest token; `late` is set if the repeat is later than a slow network
    /// explains, and `marks` if it changes those of a page's session.
    case repeatAnswer(successor: RefreshToken, late: LateRepeats? = nil, marks: RotationMarks? = nil)
    /// The token was used before; `revokes` states whether the session is revoked.
    case reuse(revokes: Bool)
    /// A copy of a request whose response has arrived, a slow tab's token, or a tab's token from which the newest cannot be computed.
    /// It is refused and audited; the session stays active.
    case lateCopy
    /// The tag is valid, but the token was never issued. Answered with 401 and audited; the session stays active.
    case impossible
    /// The key made the very token with which it is presented. Answered with 400; the token stays unused.
    case usedKey
    case refuse(RefreshResult)
}

/// A verdict with what it takes to carry it out.
struct RotationPlan: Sendable, Equatable {
    let verdict: RotationVerdict
    /// The expiry of the access token in the response.
    let accessExpiresAt: Int64
    /// Whether an audit record of it was written within the last hour.
    var isOnRecord = false
    /// Whether the row that it was made by is durable.
    var isOfDurableRow = false

    /// The change to store, or `nil` if there is none.
    var change: SessionChange? {
        switch verdict {
        case .rotate(let rotation):
            .rotate(
                NextToken(
                    hash: rotation.successor.hash, generation: rotation.successor.generation, salt: rotation.salt,
                    idleExpiresAt: rotation.idleExpiresAt, accessExpiresAt: accessExpiresAt, marks: rotation.marks))
        case .repeatAnswer(_, let late, let marks):
            .answerAgain(accessExpiresAt: accessExpiresAt, late: isOnRecord ? nil : late, marks: marks)
        case .reuse(revokes: false) where isOnRecord: nil
        case .lateCopy where isOnRecord: nil
        case .reuse(let revokes): .reused(ends: revokes)
        case .lateCopy: .lateCopy
        case .impossible: .impossible
        case .usedKey, .refuse: nil
        }
    }
}

/// The audit records that a used token of a live session could cause each time it is presented.
enum RepeatableRecord { case reuse, lateCopy, lateRepeat }

extension RotationVerdict {
    /// The kind of record that could be repeated; `nil` if the audit has no record of the verdict, or can have only one.
    var repeatableRecord: RepeatableRecord? {
        switch self {
        case .reuse(revokes: false): .reuse
        case .lateCopy: .lateCopy
        case .repeatAnswer(_, late: .some, _): .lateRepeat
        case .rotate, .repeatAnswer, .reuse, .impossible, .usedKey, .refuse: nil
        }
    }

    /// Returns the lifetime of the access token that is issued with the verdict, if one is.
    func accessLifetimeSeconds(under profile: TokenProfile) -> Int64 {
        guard case .repeatAnswer(_, late: .some, _) = self else { return profile.accessLifetimeSeconds }
        return min(profile.accessLifetimeSeconds, RotationRule.lateAccessLifetimeSeconds)
    }
}

/// The rotation table of design section 5: a pure function of the row, the token, the policy and the time.
enum RotationRule {
    static let saltByteCount = 16
    /// How long after the use of a successor a copy of the request that returned it may still arrive, in seconds. A request lives
    /// 20 s in our client libraries; HTTP stacks repeat it later than that.
    static let lateCopySeconds: Int64 = 60
    /// How long after the newest rotation a slow tab may present the parent's parent, in seconds, if lost responses are repeated
    /// until they are used.
    static let slowTabSeconds: Int64 = 10
    /// The longest lifetime of an access token from a late repeat, in seconds. Its holder must rotate soon to continue, which
    /// reveals a theft.
    static let lateAccessLifetimeSeconds: Int64 = 300

    /// - Parameters:
    ///   - session: the row of the token's locator. The verdict may be carried out only if the row is unchanged.
    ///   - now: Unix time in seconds.
    static func judge(
        _ session: SessionRecord?, _ attempt: RotationAttempt, policy: RefreshPolicy, keys: RefreshTokenKeys, now: Int64
    ) -> RotationVerdict {
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
                ?? lateTab(session, attempt, policy: policy, keys: keys, now: now)
                ?? .reuse(revokes: policy.onReuse == .revoke)
        default:
            return lateTab(session, attempt, policy: policy, keys: keys, now: now)
                ?? (isLateCopy(session, attempt, keys: keys, now: now) || isSlowTab(session, attempt, policy, now: now)
                    ? .lateCopy
                    // Older tokens are recognised only by their tag, since no history is kept.
                    : .reuse(revokes: policy.onReuse == .revoke))
        }
    }

    /// Returns the reason why no token of the session is valid any more, or `nil` if one may be.
    static func refusal(of session: SessionRecord, now: Int64) -> RefreshResult? {
        if let reason = session.revokedFor { return reason == .inactive ? .inactive : .revoked }
        let isExhausted = session.generation >= RefreshToken.generationMax
        return isExhausted || now >= session.refreshExpiresAt ? .expired : nil
    }

    private static func rotate(
        _ session: SessionRecord, _ attempt: RotationAttempt, policy: RefreshPolicy, keys: RefreshTokenKeys, now: Int64
    ) -> RotationVerdict {
        let key = attempt.idempotencyKey
        // With one key for all rotations a thief would keep step with the owner, and neither would ever be late.
        if let key, constantTimeEqual(key.mark, session.salt) { return .usedKey }
        return .rotate(
            Rotation(
                successor: keys.newest.successor(of: attempt.token, seed: key?.bytes ?? attempt.salt),
                salt: key?.mark ?? attempt.salt,
                idleExpiresAt: policy.sliding ? now + policy.idleLifetimeSeconds : session.idleExpiresAt,
                marks: attempt.page.map {
                    session.marks.rotated(to: session.generation + 1, at: now, windowSeconds: $0.lateTabSeconds)
                }))
    }

    /// Returns the lost response if the client may have it again: its successor is unused, and made from the same seed.
    private static func repeated(
        _ session: SessionRecord, _ attempt: RotationAttempt, policy: RefreshPolicy, keys: RefreshTokenKeys, now: Int64
    ) -> RotationVerdict? {
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
        return answer(successor, to: session, attempt, policy: policy, now: now)
    }

    /// Returns the answer with the newest token, which is late more than a minute after the rotation that made it.
    static func answer(
        _ newest: RefreshToken, to session: SessionRecord, _ attempt: RotationAttempt, policy: RefreshPolicy, now: Int64
    ) -> RotationVerdict {
        guard now - session.lastUsedAt > IdempotencyKey.repeatSeconds else { return .repeatAnswer(successor: newest) }
        let late = session.lateRepeats.counting(generation: session.generation)
        if let max = policy.lateRepeatsMax, late.count >= max { return .reuse(revokes: true) }
        let marks = attempt.page.map { session.marks.answered(from: lowestGeneration(session, $0), at: now) }
        return .repeatAnswer(successor: newest, late: late, marks: marks)
    }

    /// Returns how long the response may be fetched again without a key, or `nil` if never.
    private static func limitSecondsWithoutKey(
        _ session: SessionRecord, _ attempt: RotationAttempt, _ policy: RefreshPolicy
    ) -> Int64? {
        // Our own processes may repeat the very call that rotated, whatever the policy allows clients.
        let isSameCall = constantTimeEqual(attempt.salt, session.salt)
        let seconds = max(isSameCall ? IdempotencyKey.repeatSeconds : 0, policy.repeatWithoutKeySeconds)
        return seconds > 0 ? seconds : nil
    }

    /// Whether the parent's parent is presented just after a rotation, by a tab that did not see the newer tokens yet.
    private static func isSlowTab(
        _ session: SessionRecord, _ attempt: RotationAttempt, _ policy: RefreshPolicy, now: Int64
    ) -> Bool {
        policy.repeatsUntilUsed && attempt.page == nil && session.generation - attempt.token.generation == 2
            && now - session.lastUsedAt < slowTabSeconds
    }

    /// Whether a copy of an answered request arrives after the next rotation. Its own key proves that it is a copy, and the next
    /// rotation was just before. After that time the owner's own copies are long gone.
    private static func isLateCopy(
        _ session: SessionRecord, _ attempt: RotationAttempt, keys: RefreshTokenKeys, now: Int64
    ) -> Bool {
        guard let key = attempt.idempotencyKey, session.generation - attempt.token.generation == 2,
            now - session.lastUsedAt < lateCopySeconds
        else { return false }
        return keys.successor(of: attempt.token, seed: key.bytes, hash: session.previousHash) != nil
    }
}
