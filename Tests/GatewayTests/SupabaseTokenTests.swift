import AccessTokens
import InternalAPI
import Logging
import Policies
import ServiceCalls
import ServiceKit
import StrictJSON
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The edge accepts tokens of the dialect `supabase` beside its own, and reads rights in `app_metadata` and `ver` only.
@Suite(.timeLimit(.minutes(5))) struct SupabaseTokenTests {
    private static let digits = "0190a1b2c3d4e5f60718293a4b5c6d7e"
    private static let uuid = "0190a1b2-c3d4-e5f6-0718-293a4b5c6d7e"
    private static let sid = "0011223344556677889900aa"

    /// token-service with one key.
    private struct FakeTokenService: InternalTransport {
        let body: [UInt8]

        func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
            InternalResponse(status: 200, body: body)
        }
    }

    private let key: SigningKey
    private let edge: EdgeGuard
    private let keys: KeySetRefresher

    init() throws {
        key = try SigningKey.generate(keyID: "k1", algorithm: .ES256)
        let policy = try Policy.parse(
            """
            issuer: test.app
            audience: test-api
            userIDPrefix: usr_
            publicURL: https://auth.example.com
            profiles:
              mobile: { algorithm: ES256, claims: [role] }
              supabase: { algorithm: ES256 }
            dialects:
              - { name: native, profile: mobile }
              - { name: supabase, profile: supabase }
            signing: { jwksMaxAgeSeconds: 600 }
            countries: { allowed: all }
            """, file: "test.yaml")
        let set = JSONWebKeySet(keys: [key.verificationKey.jwk].compactMap(\.self))
        keys = KeySetRefresher(
            token: ServiceClient(service: "token", transport: FakeTokenService(body: try StrictJSON.encode(set))),
            secrets: nil, rule: KeySetRule(ageMaxSeconds: 600),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        ) { published, secrets in
            AccessTokenVerifier(
                policy, forms: Array(policy.tokenForms.values),
                keys: try VerificationKeySet(published, secrets: secrets))
        }
        edge = EdgeGuard(
            keys: keys, cache: VerifiedTokenCache(bytesMax: 1 << 20), replica: RevocationReplica(),
            metrics: EdgeMetrics())
    }

    /// A token with these members after those of every token of the dialect.
    private func token(
        _ members: String, issuer: String = "https://auth.example.com/auth/v1", audience: String = "authenticated",
        subject: String = uuid, version: Int64 = 3
    ) throws -> [UInt8] {
        let now = UnixTime.seconds()
        let payload =
            #"{"iss":"\#(issuer)","aud":"\#(audience)","sub":"\#(subject)","iat":\#(now),"exp":\#(now + 60),"jti":"t","#
            + #""sid":"\#(Self.sid)","ver":\#(version),\#(members)}"#
        return Array(try AccessTokenSigner().sign(payload: Array(payload.utf8), with: key).utf8)
    }

    private func check(_ token: [UInt8], roles: [String]? = nil, admits: EdgeGuard.Admits = .users) -> EdgeVerdict? {
        edge.replica.advance([], sentAt: MonotonicTime.nanoseconds())
        guard case .decided(let verdict) = edge.check(.token(token), roles: roles, admits: admits) else { return nil }
        return verdict
    }

    private func withKeys(_ body: () throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await keys.run() }
            try await eventually("there are keys") { keys.isReady }
            try body()
            group.cancelAll()
        }
    }

    @Test func `upstreams get our id and the role of app_metadata`() async throws {
        try await withKeys {
            let token = try token(
                #""role":"authenticated","app_metadata":{"role":"admin"},"phone":"14155552671","aal":"aal1""#)
            // At first by the signature, then from memory.
            for _ in 0..<2 {
                guard case .allow(let identity?) = check(token, roles: ["admin"]) else {
                    return #expect(Bool(false))
                }
                #expect(identity.userID == "usr_" + Self.digits && identity.role == "admin")
                #expect(identity.phone == "+14155552671" && identity.mapped.keys.allSatisfy { $0 == "email" })
                let lines = String(decoding: try #require(identity.headerLines), as: UTF8.self)
                #expect(
                    lines == "X-User-Id: usr_\(Self.digits)\r\nX-Session-Id: \(Self.sid)\r\nX-User-Role: admin\r\n")
            }
            for admits in [EdgeGuard.Admits.both, .usersAndActing] {
                guard case .allow = check(token, admits: admits) else { return #expect(Bool(false)) }
            }
            #expect(check(token, admits: .clients) == .unauthorized(.invalid))
        }
    }

    @Test(arguments: ["authenticated", "service_role", "admin", "user"])
    func `the claim role gives no right, and neither does what users write`(role: String) async throws {
        try await withKeys {
            for members in [
                #""role":"\#(role)""#, #""role":"\#(role)","app_metadata":{}"#,
                #""role":"\#(role)","app_metadata":{"roles":["\#(role)"]},"user_metadata":{"role":"\#(role)"}"#,
            ] {
                #expect(check(try token(members), roles: [role]) == .forbidden(.role))
                guard case .allow(let identity?) = check(try token(members)) else { return #expect(Bool(false)) }
                #expect(identity.role == nil)
            }
        }
    }

    @Test func `a revoked session, an older version and a deactivated user are refused as ever`() async throws {
        try await withKeys {
            let members = #""app_metadata":{"role":"admin"}"#
            let (older, newer) = (try token(members), try token(members, version: 4))
            guard case .allow = check(older) else { return #expect(Bool(false)) }
            func revoke(_ subject: Revocation.Subject, _ reason: RevocationReason) {
                edge.replica.advance(
                    [Revocation(subject: subject, reason: reason, until: .max)], sentAt: MonotonicTime.nanoseconds())
            }
            revoke(.version(sid: Self.sid, 4), .rights)
            #expect(check(older, roles: ["admin"]) == .unauthorized(.revoked(.rights)))
            guard case .allow = check(newer, roles: ["admin"]) else { return #expect(Bool(false)) }
            revoke(.session(Self.sid), .inactive)
            #expect(check(newer) == .forbidden(.revoked(.inactive)))
        }
    }

    @Test func `issuer, audience and subject have to be those of the dialect`() async throws {
        try await withKeys {
            let members = #""app_metadata":{"role":"admin"}"#
            for wrong in [
                try token(members, issuer: "test.app"), try token(members, audience: "test-api"),
                try token(members, issuer: "https://auth.example.com"), try token(members, audience: "anon"),
                try token(members, subject: "usr_" + Self.digits), try token(members, subject: Self.digits),
            ] { #expect(check(wrong) == .unauthorized(.invalid)) }
            // A native token keeps the meaning of its claims.
            let native = try token(
                #""role":"user","app_metadata":{"role":"admin"}"#, issuer: "test.app", audience: "test-api",
                subject: "usr_" + Self.digits)
            guard case .allow(let identity?) = check(native) else { return #expect(Bool(false)) }
            #expect(identity.role == "user" && check(native, roles: ["admin"]) == .forbidden(.role))
        }
    }
}
