import AuthAPI
import FoundationEssentials
import TestSupport
import Testing

// Cited by Tests/Compat/statements.md for T60 and T61.

extension Live {
    /// The policies that deploy/policies/examples has for Google and Microsoft; latchkey-fakes play the providers.
    @Suite(.serialized, .timeLimit(.minutes(5))) struct OpenIDConnectTests {
        private static let examples = LatchkeyStack.root + "deploy/policies/examples/"
        private static let microsoftIssuer =
            "https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/v2.0"

        private func run(
            _ example: String, _ body: @Sendable (LatchkeyStack, FakeProviders) async throws -> Void
        )
            async throws
        {
            try await LatchkeyStack.run(
                name: "OpenIDConnectTests-\(example)",
                environment: ["LATCHKEY_FAKES": "1", "LATCHKEY_POLICY": Self.examples + example + ".yaml"]
            ) { stack in
                try await body(stack, FakeProviders(of: stack))
            }
        }

        /// Signs in by the lines that `deploy/run` prints.
        private func tryPrinted(_ provider: String, _ stack: LatchkeyStack, _ fakes: FakeProviders) async throws {
            let nonce = "development-nonce"
            let token = try await fakes.identityToken(ofProvider: provider, nonce: nonce)
            let answer = try await stack.gateway.post(
                "/auth/oidc/\(provider)", #"{"nonce":"\#(nonce)","identityToken":"\#(token)"}"#)
            #expect(answer.status == 200, "\(answer.text)")
        }

        @Test func `Google's tokens sign in, by either issuer and client, with the nonce of its SDK`() async throws {
            try await run("google") { stack, fakes in
                try await tryPrinted("google", stack, fakes)
                func signIn(_ claims: String, _ more: String = "", _ extra: String = "") async throws -> HTTPAnswer {
                    let wish = #"{"issuer":"oidc","subject":"11769150","claims":{\#(claims)}\#(extra)}"#
                    let token = try await fakes.identityToken(wish).identityToken
                    return try await stack.gateway.post(
                        "/auth/oidc/google", #"{"identityToken":"\#(token)"\#(more)}"#)
                }
                let (web, ios) = (
                    #""aud":"\"1234567890-web.apps.googleusercontent.com\"""#,
                    #""aud":"\"1234567890-ios.apps.googleusercontent.com\"""#
                )
                let (long, short) = (
                    #""iss":"\"https://accounts.google.com\"""#, #""iss":"\"accounts.google.com\"""#
                )
                // As the SDK for iOS makes it: a nonce inside, none in the body.
                let first = try await signIn("\(long),\(web)", "", #","nonce":"of the SDK""#)
                #expect(first.status == 200, "\(first.text)")
                let user = try first.decoded(SignInReply.self).user
                let second = try await signIn("\(short),\(ios)", #","nonce":"n""#, #","nonce":"n""#)
                #expect(try second.decoded(SignInReply.self).user == user)
                for wrong in [
                    try await signIn("\(long),\(web)", #","nonce":"m""#, #","nonce":"n""#),
                    try await signIn(#""iss":"\"https://accounts.google.com/\"",\#(web)"#),
                    try await signIn(#"\#(long),"aud":"\"1234567890-other.apps.googleusercontent.com\"""#),
                    try await signIn("\(long),\(web)", "", #","algorithm":"ES256""#),
                ] {
                    #expect(wrong.status == 401 && wrong.text.contains("invalid_identity_token"), "\(wrong.text)")
                }
                #expect(try await stack.gateway.post("/auth/apple", #"{"identityToken":"a"}"#).status == 404)
                #expect(try await stack.gateway.post("/auth/oidc/microsoft", #"{"identityToken":"a"}"#).status == 404)
                let discovery = try await stack.gateway.get("/.well-known/latchkey")
                #expect(discovery.text.contains(#""providers":["google"]"#))
            }
        }

        @Test func `Microsoft's tokens sign in for one tenant, where nothing else does`() async throws {
            try await run("microsoft") { stack, fakes in
                try await tryPrinted("microsoft", stack, fakes)
                func signIn(_ issuer: String) async throws -> HTTPAnswer {
                    let claims = #""iss":"\"\#(issuer)\"","aud":"\"11111111-1111-1111-1111-111111111111\"""#
                    let token = try await fakes.identityToken(
                        #"{"issuer":"oidc","type":"JWT","claims":{\#(claims),"ver":"\"2.0\""}}"#
                    ).identityToken
                    return try await stack.gateway.post("/auth/oidc/microsoft", #"{"identityToken":"\#(token)"}"#)
                }
                let answer = try await signIn(Self.microsoftIssuer)
                #expect(answer.status == 200 && answer.text.contains(#""phoneNumber":null"#), "\(answer.text)")
                #expect(try await signIn(Self.microsoftIssuer.replacing("0000", with: "2222")).status == 401)
                #expect(try await signIn("https://login.microsoftonline.com/common/v2.0").status == 401)
                #expect(
                    try await stack.gateway.post("/auth/otp/request", #"{"phoneNumber":"+15551234567"}"#).status == 404)
            }
        }
    }
}
