import AccessTokens
import InternalAPI
import Logging
import ServiceKit
import Synchronization
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

// Cited by Tests/Compat/statements.md for T55.

/// The gateway verifies tokens with keys that it has, and asks no service about a token.
@Suite(.timeLimit(.minutes(5))) struct LocalVerificationTests {
    /// token-service with one key; counts the requests.
    private final class FakeTokenService: InternalTransport {
        private let body: [UInt8]
        private let count = Mutex(0)
        var requests: Int { count.withLock { $0 } }

        init(_ key: SigningKey) throws {
            let x = try #require(key.verificationKey.jwk?.x)
            body = Array(
                #"{"keys":[{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","use":"sig","kid":"k1","x":"\#(x)"}]}"#.utf8)
        }

        func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
            count.withLock { $0 += 1 }
            return InternalResponse(status: 200, body: body)
        }
    }

    private let key: SigningKey
    private let service: FakeTokenService
    private let edge: EdgeGuard
    private let keys: KeySetRefresher

    init() throws {
        key = try SigningKey.generate(keyID: "k1", algorithm: .EdDSA)
        service = try FakeTokenService(key)
        keys = KeySetRefresher(
            token: ServiceClient(service: "token", transport: service), secrets: nil,
            rule: KeySetRule(ageMaxSeconds: 300),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ) { published, secrets in
            AccessTokenVerifier(issuer: "i", audience: "a", keys: try VerificationKeySet(published, secrets: secrets))
        }
        edge = EdgeGuard(
            keys: keys, cache: VerifiedTokenCache(bytesMax: 1 << 20), replica: RevocationReplica(),
            metrics: EdgeMetrics())
    }

    private func token(_ number: Int, lifetime: Int64 = 60) throws -> [UInt8] {
        let now = UnixTime.seconds()
        let claims = AccessTokenClaims(
            issuer: "i", audience: ["a"], subject: "usr_\(number)", issuedAt: now, expiresAt: now + lifetime,
            tokenID: "t\(number)", sessionID: "s\(number)", version: 0)
        return Array(try AccessTokenSigner().sign(claims, with: key).utf8)
    }

    private func clientToken(_ audience: [String] = ["a/client"], lifetime: Int64 = 60) throws -> [UInt8] {
        let now = UnixTime.seconds()
        let claims = AccessTokenClaims(
            issuer: "i", audience: audience, subject: "billing", issuedAt: now, expiresAt: now + lifetime, tokenID: "c",
            sessionID: "c1", version: 0, additional: ["client_id": .string("billing"), "role": .string("admin")])
        return Array(try AccessTokenSigner().sign(claims, with: key).utf8)
    }

    private func actingToken(_ audience: String = "a/acting", actor: String? = "usr_9") throws -> [UInt8] {
        let now = UnixTime.seconds()
        let claims = AccessTokenClaims(
            issuer: "i", audience: [audience], subject: "usr_1", issuedAt: now, expiresAt: now + 60, tokenID: "x",
            sessionID: "x1", version: 0, actor: actor)
        return Array(try AccessTokenSigner().sign(claims, with: key).utf8)
    }

    /// The holder of an allowed request's token, or `nil` for a refused one.
    private func holder(_ token: [UInt8], _ admitted: EdgeGuard.Admits) -> TokenIdentity.Holder? {
        edge.replica.advance([], sentAt: MonotonicTime.nanoseconds())
        guard case .decided(.allow(let identity)) = edge.check(.token(token), roles: nil, admits: admitted) else {
            return nil
        }
        return identity?.holder
    }

    @Test func `users and clients are kept apart, also among remembered tokens`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await keys.run() }
            try await eventually("there are keys") { keys.isReady }
            let (user, client, acting) = (try token(1), try clientToken(), try actingToken())
            // Twice in both orders: at first by the signature, then from memory.
            for _ in 0..<2 {
                for admitted in [EdgeGuard.Admits.users, .clients, .both, .usersAndActing] {
                    #expect(holder(user, admitted) == (admitted == .clients ? nil : .user))
                    #expect(holder(client, admitted) == ([.clients, .both].contains(admitted) ? .client : nil))
                    let actor = TokenIdentity.Holder.acting(by: "usr_9")
                    #expect(holder(acting, admitted) == (admitted == .usersAndActing ? actor : nil))
                }
            }
            for (audience, actor) in [("a/acting", nil), ("a/acting/", "usr_9"), ("a/client", "usr_9")]
                as [(String, String?)]
            {
                #expect(holder(try actingToken(audience, actor: actor), .usersAndActing) == nil)
            }
            edge.replica.advance([], sentAt: MonotonicTime.nanoseconds())
            #expect(edge.check(.token(client), roles: nil) == .decided(.unauthorized(.invalid)))
            #expect(edge.check(.token(client), roles: ["admin"]) == .decided(.unauthorized(.invalid)))
            for audience in [["a/CLIENT"], ["a/client/"], ["b/client"], []] {
                #expect(holder(try clientToken(audience), .both) == nil)
            }
            let expired = try clientToken(lifetime: -1)
            #expect(edge.check(.token(expired), roles: nil, admits: .clients) == .decided(.unauthorized(.expired)))
            edge.replica.advance(
                [Revocation(subject: .session("c1"), reason: .admin, until: .max)], sentAt: MonotonicTime.nanoseconds())
            #expect(holder(client, .clients) == nil)
            group.cancelAll()
        }
    }

    /// The user of an allowed request, or `nil` for a refused one.
    private func user(_ token: [UInt8]) -> String? {
        edge.replica.advance([], sentAt: MonotonicTime.nanoseconds())
        guard case .decided(.allow(let identity)) = edge.check(.token(token), roles: nil) else { return nil }
        return identity?.userID
    }

    @Test func `tokens are verified without a request, and a known token without its signature`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await keys.run() }
            try await eventually("there are keys") { keys.isReady }
            let requests = service.requests
            let version = try #require(keys.current(now: MonotonicTime.nanoseconds())).version
            for number in 0..<50 {
                let token = try token(number)
                #expect(edge.cache.identity(for: token, keySetVersion: version) == nil)
                #expect(user(token) == "usr_\(number)")
                #expect(edge.cache.identity(for: token, keySetVersion: version)?.userID == "usr_\(number)")
                #expect(user(token) == "usr_\(number)")
                var forged = token
                forged[forged.count - 8] ^= 1
                #expect(user(forged) == nil)
            }
            #expect(service.requests == requests)
            group.cancelAll()
        }
    }

    @Test func `a remembered token still expires and is still revoked, and a new key set forgets it`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await keys.run() }
            try await eventually("there are keys") { keys.isReady }
            let brief = try token(1, lifetime: 1)
            #expect(user(brief) == "usr_1")
            try await eventually("the token has expired") { user(brief) == nil }
            let revoked = try token(2)
            #expect(user(revoked) == "usr_2")
            edge.replica.advance(
                [Revocation(subject: .session("s2"), reason: .logout, until: UnixTime.seconds() + 60)],
                sentAt: MonotonicTime.nanoseconds())
            #expect(user(revoked) == nil)
            let version = try #require(keys.current(now: MonotonicTime.nanoseconds())).version
            #expect(edge.cache.identity(for: revoked, keySetVersion: version + 1) == nil)
            group.cancelAll()
        }
    }
}
