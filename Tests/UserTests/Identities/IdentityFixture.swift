import AccessTokens
import CryptoPrimitives
import InternalAPI
import Policies
import ServiceCalls
import StrictJSON
import Synchronization

@testable import FakesCore
@testable import UserCore

/// A provider with keys of its own, and user-service's rules for its tokens.
struct IdentityFixture: Sendable {
    static let issuer = "https://appleid.apple.com"
    static let audience = "com.howru"
    /// Made once: an RSA key takes a good part of a second.
    private static let mints = Result {
        try TokenMint(issuer: issuer, audience: audience, keyName: "apple")
    }

    let users: UserFixture
    let mint: TokenMint
    let exchange: KeySetExchange

    init() throws {
        users = try UserFixture()
        mint = try Self.mints.get()
        exchange = KeySetExchange(try mint.keySet())
    }

    /// Apple's section as howru has it, with another rule for nonces or another algorithm.
    static func policy(
        _ nonce: IdentityProviderPolicy.NonceRule = .optional, algorithm: String = "RS256", name: String = "apple"
    ) -> IdentityProviderPolicy {
        var policy = IdentityProviderPolicy(name: name)
        policy.issuers = IdentityProviderPolicy.appleIssuers
        policy.audiences = [audience, "com.howru.web"]
        policy.algorithm = algorithm
        policy.nonce = nonce
        return policy
    }

    func provider(_ policy: IdentityProviderPolicy = policy()) throws -> IdentityProvider {
        guard let algorithm = SignatureAlgorithm(rawValue: policy.algorithm) else { throw UserFixture.Unexpected() }
        return IdentityProvider(
            rule: IdentityTokenRule(provider: policy, leewaySeconds: 0),
            keys: ProviderKeys(
                policy, algorithm, url: "http://keys.example/auth/keys", exchange: exchange, logger: users.logger,
                clock: { [clock = users.clock] in clock.instant }))
    }

    func prove(
        _ policy: IdentityProviderPolicy = policy()
    ) throws -> @Sendable (String, String?, String) async throws -> IdentityTokenAnswer {
        let prove = try users.proveIdentityToken([policy.name: try provider(policy)])
        return { token, nonce, call in
            try await prove(
                IdentityTokenRequest(provider: policy.name, token: token, nonce: nonce, callID: call), requestID: "r-1")
        }
    }

    func token(_ wish: TokenWish = TokenWish()) throws -> MintedToken {
        try mint.token(wish, now: users.clock.seconds)
    }

    /// Returns the rule's reason to refuse a token; `nil` if it accepts it.
    func rejection(
        _ text: String, nonce: String? = nil, by policy: IdentityProviderPolicy = policy()
    ) throws -> IdentityTokenRejection? {
        let keys = try ForeignKeySet(
            try mint.keySet(), for: try required(SignatureAlgorithm(rawValue: policy.algorithm)),
            bytesMax: ProviderKeys.bytesMax)
        do throws(IdentityTokenRejection) {
            let token = try IdentityToken(text)
            _ = try IdentityTokenRule(provider: policy, leewaySeconds: 0)
                .verify(token, key: keys.match(token.keyID).key, nonce: nonce, now: users.clock.seconds)
            return nil
        } catch { return error }
    }

    private func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw UserFixture.Unexpected() }
        return value
    }
}

/// Answers fetches of keys, and counts them.
final class KeySetExchange: ProviderExchange {
    struct Away: Error {}

    private let state: Mutex<(answer: ProviderAnswer?, fetches: Int)>

    init(_ keySet: [UInt8]) { state = Mutex((ProviderAnswer(status: 200, body: keySet), 0)) }

    var fetches: Int { state.withLock(\.fetches) }

    /// - Parameter answer: what the next fetches have, or `nil` for none.
    func become(_ answer: ProviderAnswer?) { state.withLock { $0.answer = answer } }

    func send(_ request: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer {
        let answer = state.withLock { state in
            state.fetches += 1
            return state.answer
        }
        guard let answer else { throw Away() }
        return answer
    }
}
