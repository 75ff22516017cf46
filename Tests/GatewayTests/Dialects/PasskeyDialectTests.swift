import AuthAPI
import Foundation
import InternalAPI
import Policies
import StrictJSON
import Synchronization
import Testing
import WebAuthn

@testable import EdgeHTTP
@testable import GatewayCore

/// Passkeys at the gateway: which paths there are, what their bodies say, and how they are answered.
@Suite struct PasskeyDialectTests {
    private static func policy(_ more: String = "") throws -> Policy {
        try Policy.parse(
            """
            issuer: a
            audience: b
            profiles: { p: { algorithm: EdDSA } }
            dialects: [{ name: native, profile: p }]
            countries: { allowed: all }
            publicURL: https://auth.example.com
            \(more)
            """, file: "test.yaml")
    }

    private static let assertion =
        #"{"id":"aWQ","rawId":"aWQ","type":"public-key","authenticatorAttachment":"platform","response":"#
        + #"{"clientDataJSON":"e30","authenticatorData":"AA","signature":"AA","userHandle":"aA"},"#
        + #""clientExtensionResults":{"more":[1]}}"#
    private static let verify = #"{"challengeId":"sealed","credential":\#(assertion),"deviceName":"Phone","more":7}"#

    // MARK: - Paths and files

    @Test func `the paths are those of the policy's section`() throws {
        func paths(_ more: String) throws -> Set<String> {
            Set(
                PathListing(of: try Self.policy(more)).paths.map { "\($0.method) \($0.path)" }.filter {
                    $0.contains("passkeys") || $0.contains("webauthn") || $0.hasSuffix("reauthenticate/options")
                })
        }
        let always: Set = [
            "POST /auth/passkeys/options", "POST /auth/passkeys/verify", "POST /auth/reauthenticate/options",
            "POST /users/me/passkeys/options", "POST /users/me/passkeys", "GET /users/me/passkeys",
            "PATCH /users/me/passkeys/*", "DELETE /users/me/passkeys/*",
        ]
        #expect(try paths("") == [])
        #expect(try paths("passkeys: {}") == always)
        #expect(try paths("passkeys: { signUp: true }") == always.union(["POST /auth/passkeys/signup/options"]))
        #expect(
            try paths("passkeys: { relatedOrigins: [https://example.org] }")
                == always.union(["GET /.well-known/webauthn"]))
    }

    @Test(arguments: ["howru", "aarokya", "voltyks", "gremlin", "uta"])
    func `the policies of the five documents have none of them`(name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "deploy/policies")
        let policy = try Policy.load(named: name, directory: folder.path())
        #expect(
            !PathListing(of: policy).paths.contains { $0.path.contains("passkeys") || $0.path.contains("webauthn") })
    }

    @Test func `discovery has the RP ID and what clients may ask for`() throws {
        func discovery(_ more: String, at url: String? = nil) throws -> Discovery {
            let policy = try Self.policy(more)
            let native = try #require(policy.dialects.first)
            let document = DiscoveryDocument(
                of: native, in: policy, sendsMail: false, publicURL: url.flatMap(PublicURL.init))
            return try JSONDecoder().decode(Discovery.self, from: Data(document.file.body))
        }
        let none = try discovery("")
        #expect(none.passkeys == nil && none.mfa == nil)
        let all = try discovery("passkeys: { signUp: true, restoreKeys: true }\nmfa: { totp: false }")
        #expect(all.passkeys == .init(rpID: "auth.example.com", signUp: true, restoreKeys: true))
        #expect(all.mfa == .init(totp: false))
        #expect(try discovery("passkeys: {}", at: "https://b.example.org").passkeys?.rpID == "b.example.org")
        let set = try discovery("passkeys: { rpID: example.com }", at: "https://b.example.com")
        #expect(set.passkeys == .init(rpID: "example.com", signUp: false, restoreKeys: false))
    }

    @Test func `another host than the gateway's gets the files that it has to serve`() throws {
        let apps = """
            apps: { ios: [ABCDE12345.com.example.app], android: [{ package: com.example.app, sha256: \
            ["\(Array(repeating: "AB", count: 32).joined(separator: ":"))"] }] }

            """
        func files(_ passkeys: String) throws -> [(url: String, contents: String)] {
            try PasskeyFiles.elsewhere(
                of: try Self.policy(apps + passkeys), publicURL: PublicURL("https://auth.example.com"))
        }
        #expect(try files("").isEmpty && files("passkeys: { relatedOrigins: [https://example.org] }").isEmpty)
        let parent = try files("passkeys: { rpID: example.com, relatedOrigins: [https://example.org] }")
        #expect(
            parent.map(\.url)
                == ["webauthn", "apple-app-site-association", "assetlinks.json"].map {
                    "https://example.com/.well-known/\($0)"
                })
        let related = try StrictJSON.parse(Array(parent[0].contents.utf8), limits: .own)
        #expect(related["origins"] == .array([.string("https://example.org")]))
        #expect(parent[1].contents.contains("webcredentials") && !parent[1].contents.contains("applinks"))
        #expect(parent[2].contents.contains("get_login_creds"))
        #expect(try files("passkeys: { rpID: example.com }").count == 2)
    }

    // MARK: - Sign-in

    @Test func `an assertion goes through the steps of every sign-in`() async throws {
        let services = Services()
        let reply = try await services.call("POST", "/auth/passkeys/verify", Self.verify)
        #expect(services.asked == ["prove sealed aWQ", "resolve proof", "issue Phone"])
        let answer = try JSONDecoder().decode(SignInReply.self, from: Data(reply.body))
        #expect(reply.status == 200 && !answer.isNewUser && answer.user.id == "u1")
    }

    @Test func `each failure of a sign-in is one refusal, byte for byte`() async throws {
        var bodies: Set<[UInt8]> = []
        for services in [Services(prove: .refused), Services(isUsed: true), Services(opensNothing: true)] {
            let refusal = await #expect(throws: Refusal.self) {
                try await services.call("POST", "/auth/passkeys/verify", Self.verify)
            }
            let reply = NativeDialect().reply(to: try #require(refusal))
            #expect(reply.status == 401 && refusal == .passkeyRefused)
            bodies.insert(reply.body)
        }
        #expect(bodies.count == 1)
        await #expect(throws: Refusal.notFound) {
            try await Services(prove: .off).call("POST", "/auth/passkeys/verify", Self.verify)
        }
    }

    @Test(arguments: [
        "{}", #"{"challengeId":"c"}"#, #"{"challengeId":7,"credential":{}}"#, #"{"challengeId":"c","credential":"x"}"#,
        #"{"challengeId":"c","credential":{"id":"a","rawId":"a","type":"public-key"}}"#,
        #"{"challengeId":"c","credential":{"id":"a","rawId":"a","type":"public-key","response":{"clientDataJSON":1}}}"#,
        #"{"challengeId":"c","challengeId":"d","credential":{}}"#, "[]", "null", "",
    ])
    func `a body of another form is refused before a service is asked`(body: String) async throws {
        let services = Services()
        for path in ["/auth/passkeys/verify", "/users/me/passkeys"] {
            let refusal = await #expect(throws: Refusal.self) { try await services.call("POST", path, body) }
            guard case .invalidBody? = refusal else { return #expect(Bool(false), "\(path) \(body)") }
        }
        #expect(services.asked.isEmpty)
    }

    @Test func `a call is identified by its Idempotency-Key and its body`() async throws {
        let services = Services()
        func call(_ key: String?, _ body: String = Self.verify) async throws -> String? {
            _ = try await services.call("POST", "/auth/passkeys/verify", body, key: key)
            return services.callIDs.last
        }
        let first = try await call("k")
        #expect(try await call("k") == first)
        #expect(try await call("l") != first)
        #expect(try await call("k", Self.verify.replacing("sealed", with: "other")) != first)
        let bare = try await call(nil)
        #expect(try await call(nil) != bare)
        await #expect(throws: Refusal.malformedIdempotencyKey) { try await call(String(repeating: "k", count: 129)) }
    }

    // MARK: - Options

    @Test func `options of a sign-in are those that browsers parse`() async throws {
        let reply = try await Services().call("POST", "/auth/passkeys/options", "{}")
        let json = try StrictJSON.parse(reply.body, limits: .own)
        #expect(json.memberNames == ["challengeId", "expiresAt", "publicKey"])
        #expect(json["expiresAt"]?.integerValue == 5 && json["challengeId"]?.stringValue == "sealed sign_in")
        let options = try #require(json["publicKey"])
        #expect(
            options.memberNames == ["allowCredentials", "challenge", "rpId", "timeout", "userVerification"])
        #expect(options["timeout"]?.integerValue == 300_000 && options["rpId"]?.stringValue == "example.com")
        #expect(options["allowCredentials"] == .array([]))
    }

    @Test func `options of a sign-up are a registration that waits for a code`() async throws {
        let reply = try await Services().call("POST", "/auth/passkeys/signup/options", "{}")
        let options = try #require(try StrictJSON.parse(reply.body, limits: .own)["publicKey"])
        #expect(
            options.memberNames == [
                "attestation", "authenticatorSelection", "challenge", "excludeCredentials", "pubKeyCredParams", "rp",
                "timeout", "user",
            ])
        #expect(options["timeout"]?.integerValue == 900_000 && options["attestation"]?.stringValue == "none")
        #expect(options["user"]?["id"]?.stringValue == "handle" && options["user"]?["name"]?.stringValue == "")
        #expect(options["user"]?["displayName"]?.stringValue == "" && options["rp"]?["name"]?.stringValue == "App")
        let selection = try #require(options["authenticatorSelection"])
        #expect(selection["requireResidentKey"]?.boolValue == true)
        #expect(selection["residentKey"]?.stringValue == "required")
        guard case .array(let parameters) = options["pubKeyCredParams"] else {
            return #expect(Bool(false), "there are no parameters")
        }
        #expect(parameters.map { $0["alg"]?.integerValue } == [-7, -8, -257])
    }

    @Test func `a descriptor lacks transports that are not known`() throws {
        let known = PasskeyOptions.Descriptor(id: "AA", transports: ["internal"])
        let options = PasskeyOptions(
            challengeID: "c", challenge: "AAAA", expiresAt: 5, relyingPartyID: "example.com",
            userVerification: "required", credentials: [known, .init(id: "AQ", transports: [])])
        let json = try StrictJSON.parse(
            try StrictJSON.encode(PublicKeyOptions(options, appName: "App", timeoutSeconds: 300)), limits: .own)
        guard case .array(let descriptors) = json["allowCredentials"] else {
            return #expect(Bool(false), "there are no descriptors")
        }
        #expect(descriptors.map(\.memberNames) == [["id", "transports", "type"], ["id", "type"]])
    }

    @Test func `a policy without the ceremony is 404`() async throws {
        let services = Services(hasOptions: false)
        for path in ["/auth/passkeys/options", "/auth/passkeys/signup/options"] {
            await #expect(throws: Refusal.notFound) { try await services.call("POST", path, "{}") }
        }
    }

    @Test func `a step-up has a challenge with its assertion, or neither`() throws {
        func body(_ text: String) throws -> StepUpBody {
            try StrictJSON.decode(StepUpBody.self, from: Array(text.utf8), limits: .own)
        }
        let passkey = try body(#"{"challengeId":"sealed","credential":\#(Self.assertion)}"#)
        #expect(passkey.passkey?.challengeID == "sealed" && passkey.passkey?.credential.id == "aWQ")
        #expect(passkey.proof == ReauthenticationBody())
        let code = try body(#"{"code":"123456"}"#)
        #expect(code.passkey == nil && code.proof == ReauthenticationBody(code: "123456"))
        #expect(throws: DecodingError.self) { try body(#"{"credential":\#(Self.assertion)}"#) }
        #expect(throws: DecodingError.self) { try body(#"{"challengeId":"c","credential":{}}"#) }
    }
}

/// user- and token-service as the gateway sees them, and what they were asked in turn.
private final class Services: InternalTransport {
    private let state = Mutex<(asked: [String], callIDs: [String])>(([], []))
    private let result: IdentityTokenAnswer.Result
    private let isUsed: Bool
    private let opensNothing: Bool
    private let hasOptions: Bool

    init(
        prove result: IdentityTokenAnswer.Result = .proved, isUsed: Bool = false, opensNothing: Bool = false,
        hasOptions: Bool = true
    ) {
        (self.result, self.isUsed, self.opensNothing, self.hasOptions) = (result, isUsed, opensNothing, hasOptions)
    }

    var asked: [String] { state.withLock { $0.asked } }
    var callIDs: [String] { state.withLock { $0.callIDs } }

    /// Answers a request by the row of its path.
    func call(_ method: String, _ path: String, _ body: String, key: String? = nil) async throws -> Reply {
        func client(_ name: String) -> ServiceClient { ServiceClient(service: name, transport: self) }
        let open = OpenSession(
            services: BackendServices(otp: client("otp"), token: client("token"), user: client("user")))
        let fields = key.map { "Idempotency-Key: \($0)\r\n" } ?? ""
        let head = try HeadParsing.head("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(fields)Content-Length: 1\r\n\r\n")
        let request = ClientRequest(
            EndpointRequest(head: head, body: Array(body.utf8), requestID: "r", clientAddress: "::1"))
        let signIn = SignInByPasskey(user: client("user"), open: open)
        let native = NativeDialect(passkeys: NativePasskeys(appName: "App", signUp: true))
        switch path {
        case "/auth/passkeys/verify": return try await native.verifyPasskey(request, signIn)
        case "/users/me/passkeys":
            _ = try request.json.decode(PasskeyBody.self)
            return Reply(status: 201, headers: [], body: [])
        default:
            return try await native.options(path.contains("signup") ? .signUp : .signIn, request, signIn)
        }
    }

    func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
        do { return try answer(request) } catch { throw ServiceUnavailable(service: "test", reason: "\(error)") }
    }

    private func answer(_ request: InternalRequest) throws -> InternalResponse {
        switch request.path {
        case PasskeyOperations.begin.path:
            let asked = try StrictJSON.decode(BeginPasskeyRequest.self, from: request.body, limits: .own)
            let owner = PasskeyOptions.Owner(handle: "handle", name: "")
            let options = PasskeyOptions(
                challengeID: "sealed \(asked.ceremony.rawValue)", challenge: "AAAA", expiresAt: 5,
                relyingPartyID: "example.com", userVerification: "required",
                owner: asked.ceremony == .signUp ? owner : nil)
            return try Self.answer(PasskeyOptionsAnswer(hasOptions ? options : nil))
        case PasskeyOperations.prove.path:
            let asked = try StrictJSON.decode(PasskeyProofRequest.self, from: request.body, limits: .own)
            note("prove \(asked.passkey.challengeID) \(asked.passkey.credential.id)", callID: asked.callID)
            return try Self.answer(IdentityTokenAnswer(result, proof: result == .proved ? "proof" : nil))
        case UserOperations.resolve.path:
            let asked = try StrictJSON.decode(ResolveRequest.self, from: request.body, limits: .own)
            note("resolve \(asked.attestation)")
            guard !isUsed else { return Self.refused(ResolveRefusal.attestationRefused) }
            return try Self.answer(
                ResolveAnswer(
                    grant: "g", isNewUser: false, restored: false,
                    user: UserDetails(
                        id: "u1", phoneNumber: nil, name: nil, role: "user", createdAt: 1,
                        attributes: UserAttributes())))
        default:
            let asked = try StrictJSON.decode(IssueRequest.self, from: request.body, limits: .own)
            note("issue \(asked.deviceName ?? "-")")
            guard !opensNothing else { return Self.refused(IssueRefusal.grantRefused) }
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

    private static func refused(_ refusal: some InternalRefusal) -> InternalResponse {
        InternalResponse(
            status: refusal.status, body: Array(#"{"code":"\#(refusal.rawValue)","title":"no"}"#.utf8))
    }
}
