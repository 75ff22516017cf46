import AccessTokens
import InternalAPI
import Policies

/// Decides what is due in the life of the signing keys: `published → signing → retiring → gone` (design section 5).
///
/// Pure, and without memory: whoever runs it next goes on where the last one stopped, killed or not.
struct KeyRule: Sendable, Equatable {
    /// Added to the life of the last token: clocks differ, and a replica may sign for a moment after a change.
    static let tokenExtraSeconds: Int64 = 60

    /// How long a key is published before it signs.
    let leadSeconds: Int64
    /// How long a key signs.
    let rotationSeconds: Int64
    /// How long a token that is signed now may have to be verified.
    let tokenSeconds: Int64
    /// Those for which a profile needs a key; secrets for HS256 come from a file and are no matter of this rule.
    let algorithms: [SignatureAlgorithm]

    /// What is due at `now`, in the order in which it is to be done; doing it leaves nothing due.
    ///
    /// - Parameter keys: oldest first.
    func due(_ keys: [SigningKeyRecord], now: Int64) -> [KeyStep] {
        SignatureAlgorithm.allCases.flatMap { algorithm in
            let own = keys.filter { $0.algorithm == algorithm }
            return algorithms.contains(algorithm) ? due(wanted: own, algorithm, now) : due(unwanted: own, now)
        } + keys.compactMap { ended($0, now) }
    }

    /// When the schedule changes the state of `key` next; nil for one that waits for a successor or for nothing.
    func nextChange(of key: SigningKeyRecord) -> Int64? {
        switch key.state {
        case .published: key.stateSince + leadSeconds
        case .signing: key.stateSince + rotationSeconds
        case .retiring: key.stateSince + max(key.tokenSeconds, tokenSeconds)
        case .gone: nil
        }
    }

    /// The standby signs from now on, and what signed until now retires.
    func promotion(of standby: SigningKeyRecord, among keys: [SigningKeyRecord]) -> [KeyStep] {
        keys.filter { $0.algorithm == standby.algorithm && $0.state == .signing }.map { .move($0.keyID, to: .retiring) }
            + [.move(standby.keyID, to: .signing)]
    }

    private func due(wanted keys: [SigningKeyRecord], _ algorithm: SignatureAlgorithm, _ now: Int64) -> [KeyStep] {
        let short = keys.filter { $0.state != .retiring && $0.tokenSeconds < tokenSeconds }
        return short.map { .widen($0.keyID, tokenSeconds: tokenSeconds) } + succession(keys, algorithm, now)
    }

    private func succession(_ keys: [SigningKeyRecord], _ algorithm: SignatureAlgorithm, _ now: Int64) -> [KeyStep] {
        let standby = keys.first { $0.state == .published }
        guard let signing = keys.last(where: { $0.state == .signing }) else {
            // Nothing can sign: the lead time is the lesser evil. The oldest standby is known to most caches.
            return standby.map { promotion(of: $0, among: keys) } ?? [.make(algorithm, as: .signing)]
        }
        if let standby {
            return now >= standby.stateSince + leadSeconds ? promotion(of: standby, among: keys) : []
        }
        return now >= signing.stateSince + rotationSeconds - leadSeconds ? [.make(algorithm, as: .published)] : []
    }

    /// A profile may still sign so in a replica that runs an older policy, so the key serves its time; it gets no
    /// successor.
    private func due(unwanted keys: [SigningKeyRecord], _ now: Int64) -> [KeyStep] {
        keys.compactMap { key in
            guard now >= key.stateSince + rotationSeconds else { return nil }
            switch key.state {
            case .published: return .move(key.keyID, to: .gone)
            case .signing: return .move(key.keyID, to: .retiring)
            case .retiring, .gone: return nil
            }
        }
    }

    private func ended(_ key: SigningKeyRecord, _ now: Int64) -> KeyStep? {
        guard key.state == .retiring, let end = nextChange(of: key), now >= end else { return nil }
        return .move(key.keyID, to: .gone)
    }
}

/// One change in the life of the signing keys.
enum KeyStep: Sendable, Equatable {
    /// A new random key.
    case make(SignatureAlgorithm, as: KeyState)
    case move(String, to: KeyState)
    /// The policy lets tokens live longer than when the key began.
    case widen(String, tokenSeconds: Int64)
}

extension KeyRule {
    private static let secondsPerDay: Int64 = 86_400

    /// The rule of a policy.
    init(_ policy: Policy) {
        let used = Set(policy.profiles.compactMap { SignatureAlgorithm(rawValue: $0.algorithm) })
        let longest = policy.profiles.map(\.accessLifetimeSeconds).max() ?? 0
        self.init(
            leadSeconds: policy.signing.leadSeconds,
            rotationSeconds: Int64(policy.signing.rotationDays) * Self.secondsPerDay,
            tokenSeconds: longest + policy.signing.leewaySeconds + Self.tokenExtraSeconds,
            algorithms: SignatureAlgorithm.allCases.filter { used.contains($0) && !$0.isSymmetric })
    }
}
