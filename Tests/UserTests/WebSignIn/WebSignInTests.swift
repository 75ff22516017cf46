import CryptoPrimitives
import InternalAPI
import Policies
import ServiceCalls
import Testing

@testable import FakesCore
@testable import UserCore

/// The way of a browser: to the provider, back with its answer, and to the app with a code.
@Suite(.timeLimit(.minutes(5))) struct WebSignInTests {
    @Test func `the requests have the providers' own parameters, and nothing is stored`() async throws {
        try await withWebSignIns { fixture in
            let apple = try fixture.begin("apple")
            #expect(
                apple[""]?.hasPrefix(
                    "https://appleid.apple.com/auth/authorize?response_type=code%20id_token&response_mode=form_post"
                        + "&scope=name%20email&client_id=com.howru.web"
                        + "&redirect_uri=https%3A%2F%2Fauth.example.com%2Fauth%2Fapple%2Fcallback&state=") == true)
            #expect(Set(apple.keys).isDisjoint(with: ["code_challenge", "code_challenge_method"]))
            let acme = try fixture.begin("acme")
            #expect(
                acme[""]?.hasPrefix(
                    "https://acme.example/authorize?response_type=code&scope=openid&code_challenge=") == true)
            #expect(acme["code_challenge_method"] == "S256" && acme["client_id"] == "web-1")
            #expect(acme["redirect_uri"] == WebSignInFixture.callback("acme") && acme["response_mode"] == nil)
            // Each is new.
            let again = try fixture.begin("acme")
            for name in ["state", "nonce", "code_challenge"] { #expect(acme[name] != again[name]) }
            #expect(try await fixture.noteCount() == 0)
        }
    }

    @Test(arguments: [
        ("short", WebSignInFixture.redirect, "challenge"),
        (nil, "com.example.app:/signed-in/", "redirect"), (nil, "COM.example.app:/signed-in", "redirect"),
        (nil, "https://app.example.com/in", "redirect"), (nil, "https://evil.example", "redirect"),
        (nil, "com.example.app:/signed-in?a=1", "redirect"), (nil, "", "redirect"),
    ])
    func `a challenge that is none, and any other address, are refused`(
        _ challenge: String?, _ redirect: String, _ member: String
    ) async throws {
        try await withWebSignIns { fixture in
            let start = WebSignInStart(
                provider: "apple", challenge: challenge ?? Base64URL.encode(SHA256.hash([1])), redirect: redirect,
                callbackURL: WebSignInFixture.callback("apple"))
            #expect(throws: InvalidInput(member: member)) { _ = try fixture.begin(start) }
        }
    }

    @Test(arguments: ["apple", "acme"])
    func `the code signs in once, a repeat of the call has the same grant`(_ provider: String) async throws {
        try await withWebSignIns { fixture in
            let code = try await fixture.code(provider)
            let resolve = try fixture.identities.users.resolver()
            func signIn(_ call: String) async throws -> ResolveAttestation.Outcome {
                let answer = try await fixture.redeem(provider, code, call: call)
                return try await resolve(try #require(answer.proof), name: nil)
            }
            let first = try await signIn("call-2").answered
            #expect(first.isNewUser)
            #expect(try await signIn("call-2").answered.user == first.user)
            #expect(try await signIn("call-3") == .refused(.attestationRefused))
            let grant = try fixture.identities.users.grant(first)
            #expect(grant.method == (provider == "apple" ? "apple" : "oidc:acme"))
            #expect(try await fixture.identities.users.count("users") == 1)
        }
    }

    @Test func `a token serves once, in a browser or from an app's SDK`() async throws {
        try await withWebSignIns { fixture in
            let asked = try fixture.begin("apple")
            let token = try fixture.token(asked)
            let answer = try await fixture.finish(WebSignInFixture.returned("apple", asked, token: token))
            let code = try #require(try WebSignInFixture.members(answer)["code"])
            let resolve = try fixture.identities.users.resolver()
            let proof = try await fixture.redeem("apple", code).proof
            _ = try await resolve(try #require(proof), name: nil).answered
            // The nonce of the browser's request is a secret, so the rule of policy that needs none lets the token through.
            let direct = try await fixture.identities.prove(IdentityFixture.policy(.ifSent))(token, nil, "call-9")
            let second = try await resolve(try #require(direct.proof), name: nil)
            #expect(second == .refused(.attestationRefused))
        }
    }

    @Test func `the name comes from Apple's form, where it can be shown`() async throws {
        try await withWebSignIns { fixture in
            for (person, name) in [
                (#"{"name":{"firstName":"Betty","lastName":"Smith"},"email":"b@example.com"}"#, "Betty Smith"),
                (#"{"name":{"firstName":"Betty"}}"#, "Betty"), (#"{"name":{"firstName":"a\u0000b"}}"#, nil), ("{", nil),
                (#"{"name":7}"#, nil), (nil, nil),
            ] {
                let code = try await fixture.code("apple", person: person)
                #expect(try await fixture.redeem("apple", code).name == name, "\(person ?? "-")")
            }
        }
    }

    @Test func `Apple's code goes with the sign-in, for the client and the address that it was issued for`()
        async throws
    {
        try await withWebSignIns { fixture in
            let sealed = try await fixture.code("apple")
            let seal = WebSignInSeal(ring: fixture.identities.users.storageKeys)
            let code = try #require(seal.open(SignInCode.self, sealed, now: fixture.clock.seconds))
            #expect(
                code.authorization
                    == AuthorizationCode(
                        "c-1", clientID: "com.howru.web", redirectURI: WebSignInFixture.callback("apple")))
            let text = try await fixture.code("acme")
            let other = try #require(seal.open(SignInCode.self, text, now: fixture.clock.seconds))
            #expect(other.authorization == nil)
        }
    }

    @Test func `a code of an OpenID Connect provider is exchanged with the secret and a verifier of its own`()
        async throws
    {
        try await withWebSignIns { fixture in
            let asked = try fixture.begin("acme")
            fixture.endpoint.issue(try fixture.token(asked))
            _ = try await fixture.finish(WebSignInFixture.returned("acme", asked, code: "c+/=1"))
            let form = try #require(fixture.endpoint.forms.first)
            #expect(form["grant_type"] == "authorization_code" && form["code"] == "c+/=1")
            #expect(form["client_id"] == "web-1" && form["client_secret"] == "s3cret")
            #expect(form["redirect_uri"] == WebSignInFixture.callback("acme"))
            let verifier = try #require(form["code_verifier"])
            #expect(VerifierChallenge(ofVerifier: verifier)?.text == asked["code_challenge"])
            #expect(verifier != WebSignInFixture.verifier)
            #expect(fixture.endpoint.requests.first?.url == "https://acme.example/token")
        }
    }
}
