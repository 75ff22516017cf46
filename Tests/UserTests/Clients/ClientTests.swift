import AccessTokens
import CryptoPrimitives
import InternalAPI
import Logging
import Policies
import RedisClient
import ServiceKit
import TestSupport
import Testing

@testable import UserCore

extension ManageClients.Outcome {
    fileprivate var succeeded: Bool { if case .answer = self { true } else { false } }
}

/// Clients: their secrets, the grants that they get, and the limit of those who guess.
@Suite struct ClientTests {
    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private var manage: ManageClients {
        ManageClients(
            store: fixture.store, queries: fixture.store,
            tokenService: ServiceClient(service: "token", transport: fixture.tokenService),
            userIDPrefix: UserFixture.prefix, now: fixture.clock.unix)
    }

    private func granter(limitsLocalAddresses: Bool = true, redis: RedisClient? = nil) -> GrantToClient {
        GrantToClient(
            store: fixture.store,
            assertions: UsedAssertions(
                redis: redis ?? RedisClient(RedisConfiguration(), logger: fixture.logger), hasRoom: { redis != nil }),
            grantKeys: fixture.grantKeys, issuer: UserFixture.issuer,
            failures: FailureLimit(limitsLocalAddresses: limitsLocalAddresses), now: fixture.clock.unix)
    }

    private static func hash(_ secret: String) -> String { Base64URL.encode(SHA256.hash(Array(secret.utf8))) }

    private func create(_ id: String = "billing", secret: String = "s1") async throws -> ManageClients.Outcome {
        let request = CreateClientRequest(clientID: id, role: "reports", secretHash: Self.hash(secret))
        return try await manage.create(request, requestID: nil)
    }

    private func ask(
        _ granter: GrantToClient, _ proof: ClientProof, from address: String = "198.51.100.7", callID: String = "c"
    ) async throws -> ClientGrantAnswer {
        try await granter(
            ClientGrantRequest(proof: proof, tokenEndpoint: nil, address: address, callID: callID), requestID: nil,
            logger: fixture.logger)
    }

    @Test func `two secrets are valid, and the same one again changes nothing`() {
        let hashes = (0..<3).map { _ in SecureRandom.bytes(32) }
        let first = APIClient.new("a", role: "r", secretHash: hashes[0], now: 1)
        let second = first.adding(secretHash: hashes[1], endsEarlier: false, now: 2)
        #expect(second.secrets.map(\.hash) == [hashes[1], hashes[0]])
        #expect(second.adding(secretHash: hashes[1], endsEarlier: false, now: 3) == second)
        #expect(
            second.adding(secretHash: hashes[2], endsEarlier: false, now: 3).secrets.map(\.hash) == [
                hashes[2], hashes[1],
            ])
        #expect(second.adding(secretHash: hashes[1], endsEarlier: true, now: 3).secrets.map(\.hash) == [hashes[1]])
        let keys = first.adding(key: "k1", endsEarlier: false).adding(key: "k2", endsEarlier: false)
        #expect(keys.keys == ["k2", "k1"] && keys.adding(key: "k2", endsEarlier: false) == keys)
        #expect(keys.adding(key: "k3", endsEarlier: true).keys == ["k3"])
        #expect(first.sid.count == APIClient.sidByteCount && first.sidText.count == 24)
    }

    @Test func `a right secret gets a grant for five minutes, recorded with its method`() async throws {
        #expect(try await create().succeeded)
        // A repeat of the command whose answer was lost.
        #expect(try await create().succeeded)
        #expect(try await create(secret: "other").succeeded == false)
        let answer = try await ask(granter(), ClientProof(clientID: "billing", secret: "s1"))
        let grant = try ClientGrant.open(
            try #require(answer.grant), with: fixture.grantKeys, now: fixture.clock.seconds)
        #expect(answer.result == .done && grant.clientID == "billing" && grant.role == "reports")
        #expect(grant.tokenExpiresAt == fixture.clock.seconds + ClientLifetimes.tokenSeconds)
        #expect(throws: SealRefusal.self) {
            try Grant.open(answer.grant ?? "", with: fixture.grantKeys, now: fixture.clock.seconds)
        }
        #expect(try await fixture.auditEvents() == ["client.created", "client.token_issued"])
        for proof in [
            ClientProof(clientID: "billing", secret: "s2"), ClientProof(clientID: "billing"),
            ClientProof(clientID: nil),
            ClientProof(clientID: "Billing", secret: "s1"), ClientProof(clientID: "bill\u{0}", secret: "s1"),
            ClientProof(
                clientID: String(repeating: "x", count: 100_000), secret: String(repeating: "y", count: 100_000)),
        ] { #expect(try await ask(granter(), proof).result == .invalidClient) }
    }

    @Test func `who guesses waits, and the right secret is accepted from elsewhere`() async throws {
        #expect(try await create().succeeded)
        let (granter, right) = (granter(), ClientProof(clientID: "billing", secret: "s1"))
        for _ in 0..<FailureLimit.limit.max {
            #expect(try await ask(granter, ClientProof(clientID: "billing", secret: "x")).result == .invalidClient)
        }
        // The count comes before the comparison: the guesser does not learn that this one is right.
        let waiting = try await ask(granter, right)
        #expect(waiting.result == .rateLimited && waiting.grant == nil && waiting.retryAfterSeconds ?? 0 > 0)
        #expect(try await ask(granter, right, from: "203.0.113.9").result == .done)
        fixture.clock.advance(seconds: FailureLimit.limit.windowSeconds)
        #expect(try await ask(granter, right).result == .done)
    }

    @Test func `a revoked client gets nothing, also before token-service has confirmed`() async throws {
        #expect(try await create().succeeded)
        fixture.tokenService.setAway(true)
        let end = EndClientRequest(clientID: "billing", removes: true)
        await #expect(throws: ServiceUnavailable.self) { try await manage.end(end, requestID: nil) }
        let right = ClientProof(clientID: "billing", secret: "s1")
        #expect(try await ask(granter(), right).result == .invalidClient)
        #expect(try await fixture.store.clients().map(\.revokedAt) == [fixture.clock.seconds])
        let rotate = RotateClientRequest(clientID: "billing", secretHash: Self.hash("s2"), endsEarlier: false)
        #expect(try await manage.rotate(rotate, requestID: nil).succeeded == false)
        fixture.tokenService.setAway(false)
        #expect(try await manage.end(end, requestID: nil).succeeded)
        #expect(try await fixture.store.clients().isEmpty)
        #expect(try await fixture.auditEvents() == ["client.created", "client.revoked", "client.removed"])
    }

    @Test func `without Redis an assertion is neither accepted nor counted as a guess`() async throws {
        #expect(try await create().succeeded)
        let key = try SigningKey.generate(keyID: "k", algorithm: .ES256)
        let jwk = try #require(key.verificationKey.jwk)
        let text = #"{"kty":"EC","crv":"P-256","x":"\#(jwk.x ?? "")","y":"\#(jwk.y ?? "")"}"#
        let request = ClientKeyRequest(clientID: "billing", key: text, endsEarlier: false)
        #expect(try await manage.setKey(request, requestID: nil).succeeded)
        let claims = """
            {"iss":"billing","sub":"billing","aud":"\(UserFixture.issuer)","jti":"1","exp":\(fixture.clock.seconds + 60)}
            """
        let proof = ClientProof(
            clientID: nil, assertion: try CompactJWS.sign(Array(claims.utf8), type: nil, with: key))
        let granter = granter()
        for _ in 0...FailureLimit.limit.max {
            await #expect(throws: UsedAssertions.Failure.self) { try await ask(granter, proof) }
        }
        #expect(try await ask(granter, ClientProof(clientID: "billing", secret: "s1")).result == .done)
        try await withRedis(functions: [GuessFunctions.library.source(loadedAt: 0)]) { _, redis async throws -> Void in
            let granter = self.granter(redis: redis)
            #expect(try await ask(granter, proof, callID: "1").result == .done)
            // The first call is repeated, as after a lost response. The second one is another call with the same assertion.
            #expect(try await ask(granter, proof, callID: "1").result == .done)
            #expect(try await ask(granter, proof, callID: "2").result == .invalidClient)
        }
    }

    @Test func `a private key, a secret and a weak key are no public keys`() async throws {
        #expect(try await create().succeeded)
        for text in [
            "", "{}", "x", #"{"kty":"oct","k":"\#(Base64URL.encode([UInt8](repeating: 7, count: 32)))"}"#,
            #"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", String(repeating: "a", count: 20_000),
        ] {
            let request = ClientKeyRequest(clientID: "billing", key: text, endsEarlier: false)
            guard case .refused(.keyRefused, _) = try await manage.setKey(request, requestID: nil) else {
                Issue.record("accepted: \(text.prefix(40))")
                continue
            }
        }
        // Only the public half of a private JWK is stored.
        let key = try SigningKey.generate(keyID: "k", algorithm: .EdDSA)
        let x = try #require(key.verificationKey.jwk?.x)
        let both = #"{"kty":"OKP","crv":"Ed25519","x":"\#(x)","d":"\#(x)"}"#
        let request = ClientKeyRequest(clientID: "billing", key: both, endsEarlier: false)
        #expect(try await manage.setKey(request, requestID: nil).succeeded)
        let stored = try await fixture.store.clients().flatMap(\.keys)
        #expect(stored.count == 1 && !stored.contains { $0.contains("\"d\"") })
    }

    @Test(arguments: ["", "-a", ".a", "a b", "a/b", "ä", "a\u{0}", String(repeating: "a", count: 65), "a:b", "usr"])
    func `a name has one spelling everywhere`(id: String) async throws {
        guard id == "usr" else {
            #expect(!ClientID.isValid(id))
            await #expect(throws: InvalidInput.self) { try await create(id) }
            return
        }
        let user = try await fixture.signedIn().id.text(prefix: UserFixture.prefix)
        await #expect(throws: InvalidInput.self) { try await create(user) }
        #expect(try await create(id).succeeded)
    }
}
