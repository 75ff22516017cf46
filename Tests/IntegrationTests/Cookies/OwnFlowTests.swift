import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import TestSupport
import Testing

/// Flows in a browser by which signed-in users add identities and show again who they are, on the stack of `PageDoorTests`.
extension Live.PageDoorTests {
    private static let add = "/users/me/identities"
    private static let prove = "/auth/reauthenticate"

    private func signedIn() async throws -> SignInReply {
        try await stack.signIn(phone: LatchkeyStack.freshPhone())
    }

    private func post(
        _ path: String, _ json: String, _ user: SignInReply, key: String? = nil
    ) async throws -> HTTPAnswer {
        try await stack.gateway.send(
            "POST", path,
            headers: [("Authorization", "Bearer \(user.tokens.accessToken)"), ("Content-Type", "application/json")]
                + (key.map { [("Idempotency-Key", $0)] } ?? []), body: Array(json.utf8))
    }

    /// Begins a user's flow, and returns the provider's page.
    private func page(_ base: String, _ provider: String, _ user: SignInReply) async throws -> ProviderPage {
        let start = OwnFlowBody(
            challenge: Base64URL.encode(SHA256.hash(Array(Self.verifier.utf8))), redirect: WebSignInPolicy.redirect)
        let body = String(decoding: try JSONEncoder().encode(start), as: UTF8.self)
        let reply = try await post("\(base)/\(provider)/authorize", body, user).decoded(OwnFlowReply.self)
        return try await ProviderPage(reply.url, at: try stack.service("fakes"))
    }

    private func flowCode(
        _ base: String, _ provider: String, _ user: SignInReply, _ subject: String
    ) async throws -> String {
        let answer = try await page(base, provider, user).press("continue", subject: subject)
        return try #require(try members(try await bring(answer))["code"])
    }

    private func proof(_ provider: String, _ code: String) -> String {
        let name = provider.split(separator: "/").last ?? ""
        return #"{"provider":"\#(name)","code":"\#(code)","verifier":"\#(Self.verifier)"}"#
    }

    @Test(arguments: ["apple", "oidc/google", "oidc/acme"])
    func `a user adds an account in a browser, and it signs in afterwards`(_ provider: String) async throws {
        let subject = "000123.\(UUID().uuidString.lowercased().prefix(13))"
        let (user, other) = (try await signedIn(), try await signedIn())
        let code = try await flowCode(Self.add, provider, user, subject)
        // It signs no one in, shows nothing, and is of no use to another user.
        #expect(try await stack.gateway.post("/auth/\(provider)/verify", body(code)).status == 401)
        #expect(try await post("\(Self.add)/\(provider)", body(code), other).status == 401)
        let proved = try await post(Self.prove, proof(provider, code), user)
        #expect(proved.status == 403 && proved.text.contains("reauthentication_failed"), "\(proved.text)")
        for _ in 0..<2 {
            let added = try await post("\(Self.add)/\(provider)", body(code), user, key: "k-1")
            #expect(try added.decoded(IdentityChangeReply.self).signedOut == false, "\(added.text)")
        }
        let again = try await post("\(Self.add)/\(provider)", body(code), user)
        #expect(again.status == 401 && again.text.contains("invalid_code"), "\(again.text)")
        let challenge = Base64URL.encode(SHA256.hash(Array(Self.verifier.utf8)))
        let began = try await stack.gateway.get(
            "/auth/\(provider)/authorize?challenge=\(challenge)&redirect=\(WebSignInPolicy.redirect.replacing("/", with: "%2F"))"
        )
        let signIn = try await ProviderPage(try #require(began.headers["location"]), at: try stack.service("fakes"))
        let returned = try await bring(try await signIn.press("continue", subject: subject))
        let own = try #require(try members(returned)["code"])
        // A sign-in's code adds nothing.
        #expect(try await post("\(Self.add)/\(provider)", body(own), other).status == 401)
        let reply: SignInReply = try await stack.gateway.post("/auth/\(provider)/verify", body(own)).decoded()
        #expect(reply.user.id == user.user.id && !reply.isNewUser)
        // Another user who has the account learns that it is in use.
        let taken = try await flowCode(Self.add, provider, other, subject)
        let refused = try await post("\(Self.add)/\(provider)", body(taken), other)
        #expect(refused.status == 409 && refused.text.contains("identity_in_use"), "\(refused.text)")
    }

    @Test func `a user shows in a browser who they are, and a provider that is down changes nothing`() async throws {
        let (subject, user) = ("000124.\(UUID().uuidString.lowercased().prefix(13))", try await signedIn())
        let added = try await post(
            "\(Self.add)/oidc/acme", body(try await flowCode(Self.add, "oidc/acme", user, subject)), user)
        #expect(added.status == 200, "\(added.text)")
        let proof = proof("acme", try await flowCode(Self.prove, "oidc/acme", user, subject))
        #expect(try await post("\(Self.add)/oidc/acme", proof, user).status == 401)
        let proved = try await post(Self.prove, proof, user)
        #expect(proved.status == 200 && proved.text.contains(#""refresh":true"#), "\(proved.text)")
        #expect(try await post(Self.prove, proof, user).status == 403)

        let fakes = try FakeProviders(of: stack)
        try await fakes.script(#"[{"provider":"oidc","at":"token","status":503,"body":"{}"}]"#)
        let newcomer = try await signedIn()
        let answer = try await page(Self.add, "oidc/acme", newcomer).press("continue", subject: "\(subject)b")
        #expect(try members(try await bring(answer)) == ["error": "temporarily_unavailable"])
        try await fakes.clearScript()
        let list = try await stack.gateway.get(Self.add, bearer: newcomer.tokens.accessToken)
        #expect(try list.decoded(IdentityList.self).identities.map(\.kind) == ["phone"])
    }
}
