import AccessTokens
import InternalAPI
import Policies

/// Decides which steps are due in the life of the signing keys: `published → signing → retiring → gone` (design section 5).
///
/// It is a pure function without memory. The next process that runs it continues where the last one stopped, even if that was
/// killed.
struct KeyRule: Sendable, Equatable {
    /// The seconds added to the life of the last token, since clocks differ and a replica may sign for a moment after a change.
    static let tokenExtraSeconds: Int64 = 60
    /// The life of the token with which a person acts as a user, in seconds.
    static let actingSeconds: Int64 = 900

    /// How long a key is published before it signs, in seconds.
    let leadSeconds: Int64
    /// How long a key signs, in seconds.
    let rotationSeconds: Int64
    /// How long a token that is signed now may have to be verified, in seconds.
    let tokenSeconds: Int64
    /// The algorithms for which a profile needs a key. Secrets for HS256 come from a file and are not covered by this rule.
    let algorithms: [SignatureAlgorithm]

    /// Returns the steps that are due at `now`, in the order in which to carry them out. Afterwards nothing is due.
    ///
    /// - Parameter keys: the keys, oldest first.
    func due(_ keys: [SigningKeyRecord], now: Int64) -> [KeyStep] {
        SignatureAlgorithm.allCases.flatMap { algorithm in
            let own = keys.filter { $0.algorithm == algorithm }
            return algorithms.contains(algorithm) ? due(wanted: own, algorithm, now) : due(unwanted: own, now)
        } + keys.compactMap { ended($0, now) }
    }

    /// Returns the time of the next scheduled change of `key`, or `nil` if it waits for a successor or for nothing.
    func nextChange(of key: SigningKeyRecord) -> Int64? {
        switch key.state {
        case .published: key.stateSince + leadSeconds
        case .signing: key.stateSince + rotationSeconds
        case .retiring: key.stateSince + max(key.tokenSeconds, tokenSeconds)
        case .gone: nil
        }
    }

    /// Returns the steps by which the standby becomes the signing key and the current signing keys retire.
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
            // No key can sign, so skipping the lead time is the lesser evil. The oldest standby is in most caches.
            return standby.map { promotion(of: $0, among: keys) } ?? [.make(algorithm, as: .signing)]
        }
        if let standby {
            return now >= standby.stateSince + leadSeconds ? promotion(of: standby, among: keys) : []
        }
        return now >= signing.stateSince + rotationSeconds - leadSeconds ? [.make(algorithm, as: .published)] : []
    }

    /// Returns the steps for keys whose algorithm no profile uses. A replica with an older policy may still sign with such a key,
    /// so it completes its time, but gets no successor.
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

/// One step in the life of the signing keys.
enum KeyStep: Sendable, Equatable {
    /// A new random key is made.
    case make(SignatureAlgorithm, as: KeyState)
    case move(String, to: KeyState)
    /// The policy lets tokens live longer than when the key was made.
    case widen(String, tokenSeconds: Int64)
}

extension KeyRule {
    private static let secondsPerDay: Int64 = 86_400

    /// Creates the rule of a policy.
    init(_ policy: Policy) {
        let used = Set(policy.profiles.compactMap { SignatureAlgorithm(rawValue: $0.algorithm) })
        let acting = policy.admin.actAs == nil ? 0 : Self.actingSeconds
        let lifetimes = policy.profiles.map { profile in
            let seconds = profile.accessLifetimeSeconds
            return policy.isSupabase(profile) ? seconds + seconds / SessionRecord.spreadDivisor : seconds
        }
        let longest = max(lifetimes.max() ?? 0, acting)
        self.init(
            leadSeconds: policy.signing.leadSeconds,
            rotationSeconds: Int64(policy.signing.rotationDays) * Self.secondsPerDay,
            tokenSeconds: longest + policy.signing.leewaySeconds + Self.tokenExtraSeconds,
            algorithms: SignatureAlgorithm.allCases.filter { used.contains($0) && !$0.isSymmetric })
    }
}
