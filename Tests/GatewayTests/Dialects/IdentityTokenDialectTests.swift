import AuthAPI
import Foundation
import InternalAPI
import Policies
import StrictJSON
import Synchronization
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Identity tokens at the gateway: which paths there are, what their bodies say, and how they are answered.
@Suite struct IdentityTokenDialectTests {
    private static func policy(_ more: String, dialects: String = "{ name: native, profile: p }") throws -> Policy {
        try Policy.parse(
            """
            issuer: a
            audience: b
            profiles: { p: { algorithm: EdDSA } }
            dialects: [\(dialects)]
            countries: { allowed: all }
            passwords: {}
            publicURL: https://a.example
            \(more)
            """, file: "test.yaml")
    }

    private static let google = "oidc: { google: { issuers: [i], jwksURL: https://g.example/k, audiences: [x] } }\n"

    @Test func `a path is on for each provider of the policy, and for no other`() throws {
        let paths = { (policy: Policy) in
            PathListing(of: policy).paths.filter { $0.path == "/auth/apple" || $0.path.hasPrefix("/auth/oidc") }
                .map { "\($0.method) \($0.path) \($0.dialect)" }
        }
        #expect(try paths(Self.policy("")) == [])
        #expect(try paths(Self.policy("apple: { audiences: [c] }\n")) == ["POST /auth/apple native"])
        #expect(
            try paths(Self.policy("apple: { audiences: [c] }\n" + Self.google))
                == ["POST /auth/apple native", "POST /auth/oidc/google native"])
    }

    @Test func `discovery names the providers`() throws {
        let policy = try Self.policy("apple: { audiences: [c] }\n" + Self.google)
        let native = try #require(policy.dialects.first)
        let document = DiscoveryDocument(of: native, in: policy, sendsMail: false)
        let discovery = try JSONDecoder().decode(Discovery.self, from: Data(document.file.body))
        #expect(discovery.providers == ["apple", "google"])
    }

    // MARK: - Bodies

    private func body(_ text: String) throws -> IdentityTokenBody {
        try StrictJSON.decode(IdentityTokenBody.self, from: Array(text.utf8), limits: .own)
    }

    @Test(
        arguments: [
            (#""Betty Smith""#, "Betty Smith"), (#"{"givenName":"Betty","familyName":"Smith"}"#, "Betty Smith"),
            (#"{"familyName":"Smith"}"#, "Smith"), ("{}", ""), ("null", nil),
            (#"{"givenName":"Betty","phoneticRepresentation":{"givenName":"B"},"nickname":"B"}"#, "Betty"),
            (
                #"{"namePrefix":"Dr.","givenName":"Ann","middleName":"B.","familyName":"C","nameSuffix":"Jr."}"#,
                "Dr. Ann B. C Jr."
            ),
            (#"{"givenName":7,"familyName":"Smith"}"#, "Smith"), ("7", ""), ("[]", ""), ("true", ""),
        ] as [(String, String?)])
    func `a full name is read in both forms, and is never an error`(_ json: String, _ text: String?) throws {
        #expect(try body(#"{"identityToken":"a.b.c","fullName":\#(json)}"#).fullName?.text == text)
    }

    @Test func `members that prove nothing are not read`() throws {
        let printed = #"{"identityToken":"a.b.c","fullName":null,"email":7,"authorizationCode":null,"nonce":null}"#
        #expect(try body(printed) == IdentityTokenBody(identityToken: "a.b.c"))
        #expect(throws: DecodingError.self) { try body(#"{"fullName":"x"}"#) }
        #expect(throws: DecodingError.self) { try body(#"{"identityToken":7}"#) }
        for member in ["nonce", "authorizationCode"] {
            #expect(throws: DecodingError.self) { try body(#"{"identityToken":"a","\#(member)":7}"#) }
        }
    }

    // MARK: - Answers

    @Test func `a verified token opens a session, and its name goes along`() async throws {
        let services = Services()
        let reply = try await services.post(
            #"{"identityToken":"t","nonce":"n","fullName":"{\"givenName\":\"Betty\"}"}"#)
        #expect(services.asked == ["prove apple t n", "resolve sealed Betty", "issue"])
        let answer = try JSONDecoder().decode(SignInReply.self, from: Data(reply.body))
        #expect(reply.status == 200 && answer.isNewUser && answer.user.phoneNumber == nil)
        let text = String(decoding: reply.body, as: UTF8.self)
        #expect(text.contains("\"phoneNumber\":null") && !text.contains("\"access\""))
    }

    @Test func `where uta is spoken the tokens have its names too`() async throws {
        let spoken = try Self.policy(
            "apple: { audiences: [c] }\n",
            dialects: "{ name: native, profile: p }, { name: uta, profile: p, host: u.example }")
        let native = try #require(
            SpokenDialect.all(of: spoken).compactMap { $0.dialect as? NativeDialect }.first)
        #expect(native.identities.namesTokensTwice)
        let reply = try await Services(namesTokensTwice: true).post(#"{"identityToken":"t"}"#)
        let text = String(decoding: reply.body, as: UTF8.self)
        #expect(text.contains("\"access\":\"a.b.c\"") && text.contains("\"accessToken\":\"a.b.c\""))
    }

    @Test func `a refused token, and one that was used, are told apart`() async throws {
        await #expect(throws: Refusal.invalidIdentityToken) {
            try await Services(prove: .refused).post(#"{"identityToken":"t"}"#)
        }
        await #expect(throws: Refusal.identityTokenUsed) {
            try await Services(isUsed: true).post(#"{"identityToken":"t"}"#)
        }
        await #expect(throws: Refusal.notFound) { try await Services(prove: .off).post(#"{"identityToken":"t"}"#) }
    }

    @Test func `the refusals have a code of their own in each dialect`() throws {
        for (refusal, code) in [
            (Refusal.invalidIdentityToken, "invalid_identity_token"), (.identityTokenUsed, "identity_token_used"),
        ] {
            for dialect in [NativeDialect(), AarokyaDialect(), VoltyksDialect(), GremlinDialect(), UtaDialect()]
                as [any GatewayCore.Dialect]
            {
                let reply = dialect.reply(to: refusal)
                #expect(reply.status == 401)
                #expect(String(decoding: reply.body, as: UTF8.self).lowercased().contains("\"\(code)\""))
            }
        }
    }

    @Test func `a request for the host of a dialect is refused in its shape`() throws {
        let policy = try Self.policy(
            "apple: { audiences: [c] }\n",
            dialects: "{ name: native, profile: p }, { name: aarokya, profile: p, host: a.example }")
        let table = RouteTable(SpokenDialect.all(of: policy), app: [])
        let name = { (host: String?, method: HTTPMethod) in
            table.dialect(of: table.match(method, Array("/auth/apple".utf8).span, host: { host }).label).name
        }
        for method in [HTTPMethod.post, .get] {
            #expect(name("a.example", method) == "aarokya" && name("b.example", method) == "native")
            #expect(name(nil, method) == "native")
        }
    }

    // MARK: - Calls

    @Test func `a call is named by its Idempotency-Key, its path and its body`() async throws {
        let services = Services()
        let calls = { (body: String, key: String?) async throws -> String in
            _ = try await services.post(body, key: key)
            return services.callIDs.last ?? ""
        }
        let first = try await calls(#"{"identityToken":"t"}"#, "k")
        #expect(try await calls(#"{"identityToken":"t"}"#, "k") == first)
        #expect(try await calls(#"{"identityToken":"u"}"#, "k") != first)
        #expect(try await calls(#"{"identityToken":"t"}"#, "l") != first)
        let bare = try await calls(#"{"identityToken":"t"}"#, nil)
        #expect(try await calls(#"{"identityToken":"t"}"#, nil) != bare)
    }
}

/// user- and token-service as the gateway sees them, and what they were asked in turn.
private final class Services: InternalTransport {
    private let state = Mutex<(asked: [String], callIDs: [String])>(([], []))
    private let result: IdentityTokenAnswer.Result
    private let isUsed: Bool
    private let namesTokensTwice: Bool

    init(prove result: IdentityTokenAnswer.Result = .proved, isUsed: Bool = false, namesTokensTwice: Bool = false) {
        (self.result, self.isUsed, self.namesTokensTwice) = (result, isUsed, namesTokensTwice)
    }

    var asked: [String] { state.withLock { $0.asked } }
    var callIDs: [String] { state.withLock { $0.callIDs } }

    /// Presents a body at `/auth/apple`.
    func post(_ body: String, key: String? = nil) async throws -> Reply {
        func client(_ name: String) -> ServiceClient { ServiceClient(service: name, transport: self) }
        let open = OpenSession(
            services: BackendServices(otp: client("otp"), token: client("token"), user: client("user")))
        let native = NativeDialect(
            identities: NativeIdentities(providers: ["apple"], namesTokensTwice: namesTokensTwice))
        let fields = key.map { "Idempotency-Key: \($0)\r\n" } ?? ""
        let head = try HeadParsing.head("POST /auth/apple HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: 1\r\n\r\n")
        let request = EndpointRequest(head: head, body: Array(body.utf8), requestID: "r", clientAddress: "::1")
        return try await native.signIn(
            at: "apple", ClientRequest(request), SignInByIdentityToken(user: client("user"), open: open))
    }

    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        do { return try answer(request) } catch { throw ServiceUnavailable(service: "test", reason: "\(error)") }
    }

    private func answer(_ request: InternalRequest) throws -> InternalResponse {
        switch request.path {
        case IdentityOperations.prove.path:
            let asked = try StrictJSON.decode(IdentityTokenRequest.self, from: request.body, limits: .own)
            note("prove \(asked.provider) \(asked.token) \(asked.nonce ?? "-")", callID: asked.callID)
            return try Self.answer(IdentityTokenAnswer(result, proof: result == .proved ? "sealed" : nil))
        case UserOperations.resolve.path:
            let asked = try StrictJSON.decode(ResolveRequest.self, from: request.body, limits: .own)
            note("resolve \(asked.attestation) \(asked.name ?? "-")")
            guard !isUsed else {
                let body = #"{"code":"\#(ResolveRefusal.attestationRefused.rawValue)","title":"no"}"#
                return InternalResponse(status: ResolveRefusal.attestationRefused.status, body: Array(body.utf8))
            }
            return try Self.answer(
                ResolveAnswer(
                    grant: "g", isNewUser: true, restored: false,
                    user: UserDetails(
                        id: "u1", phoneNumber: nil, name: nil, role: "user", createdAt: 1, attributes: UserAttributes())
                )
            )
        default:
            note("issue")
            return try Self.answer(
                TokenSet(
                    accessToken: "a.b.c", refreshToken: "r", accessExpiresAt: 1, refreshExpiresAt: 1, expiresIn: 1,
                    sessionID: "s", userID: "u1"))
        }
    }

    private func note(_ text: String, callID: String? = nil) {
        state.withLock { state in
            state.asked.append(text)
            if let callID { state.callIDs.append(callID) }
        }
    }

    private static func answer(_ body: some Encodable) throws -> InternalResponse {
        InternalResponse(status: 200, body: try StrictJSON.encode(body))
    }
}
