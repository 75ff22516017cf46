internal import FoundationEssentials
internal import Policies

/// The policy's numbers as the scripts read them: JSON, made once.
///
/// A limit is `[max, windowSeconds]`, a lockout `[failures, withinSeconds, lockSeconds]`.
struct ScriptRules: Encodable {
    let lifetime: Int64
    let approved: Int64
    let recordOutlives: Int64
    let challengeAttempts: Int
    let sends: [[Int64]]
    let attempts: [[Int64]]
    let addressSends: [[Int64]]
    let addressAttempts: [[Int64]]
    let lockouts: [[Int64]]
    /// How long sends, and how long attempts and failures, are remembered.
    let sendMemory: Int64
    let attemptMemory: Int64

    init(_ policy: OTPPolicy, limitsAddress: Bool) {
        lifetime = policy.lifetimeSeconds
        approved = policy.approvedSeconds
        recordOutlives = policy.recordOutlivesSeconds
        challengeAttempts = policy.attemptsPerChallenge
        sends = policy.sendsPerPhone.map(\.pair)
        attempts = policy.attemptsPerPhone.map(\.pair)
        addressSends = limitsAddress ? policy.sendsPerAddress.map(\.pair) : []
        addressAttempts = limitsAddress ? policy.attemptsPerAddress.map(\.pair) : []
        lockouts = policy.lockouts.map { [Int64($0.failures), $0.withinSeconds, $0.lockSeconds] }
        sendMemory = policy.sendsPerPhone.longestWindowSeconds
        attemptMemory = max(policy.attemptsPerPhone.longestWindowSeconds, policy.lockouts.longestMemorySeconds)
    }

    /// - Throws: nothing in practice; the encoder's error if there were one.
    func json() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
}

extension RateLimit {
    fileprivate var pair: [Int64] { [Int64(max), windowSeconds] }
}
