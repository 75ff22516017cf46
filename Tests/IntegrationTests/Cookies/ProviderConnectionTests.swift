import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import TestSupport
import Testing

extension Live {
    /// A provider whose token endpoint hangs, while many clients bring junk codes to the callback.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack(
            changing: WebSignInPolicy.changes.merging(["trustedProxies: []": "trustedProxies: [127.0.0.0/8]"]) { $1 },
            ["LATCHKEY_FAKES": "1"]))
    struct ProviderConnectionTests {
        private static let clientCount = 64

        let stack: LatchkeyStack
        let fakes: FakeProviders

        init() throws {
            stack = try #require(RunningStack.current)
            fakes = try FakeProviders(of: stack)
        }

        /// Brings a junk code to the callback, as a client in a network of its own.
        private static func junk(_ number: Int, _ gateway: TestHTTPClient) async throws -> HTTPAnswer {
            let challenge = Base64URL.encode(SHA256.hash(Array(String(repeating: "v", count: 43).utf8)))
            let redirect = WebSignInPolicy.redirect.replacing("/", with: "%2F")
            let headers = [("X-Forwarded-For", "198.18.\(number).1")]
            let begun = try await gateway.send(
                "GET", "/auth/oidc/acme/authorize?challenge=\(challenge)&redirect=\(redirect)", headers: headers)
            let fields = ProviderPage.fields(
                String(try #require(begun.headers["location"]).split(separator: "?", maxSplits: 1)[1]))
            let state = try #require(fields["state"])
            return try await gateway.send(
                "GET", "/auth/oidc/acme/callback?state=\(state)&code=junk-\(number)", headers: headers)
        }

        @Test func `the provider's keys are fetched while its token endpoint hangs`() async throws {
            let hanging = #"{"provider":"oidc","at":"token","hang":4,"always":true}"#
            try await fakes.script("[\(hanging)]")
            try await stack.gateway.withConnections(2 * Self.clientCount) { gateway in
                try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                    for number in 0..<Self.clientCount { group.addTask { try await Self.junk(number, gateway) } }
                    // Half of the callbacks are answered at once, and the others wait for the provider.
                    for _ in 0..<Self.clientCount / 2 {
                        let answer = try #require(try await group.next())
                        #expect(
                            answer.headers["location"]?.contains("temporarily_unavailable") == true, "\(answer.text)")
                    }
                    #expect(try await fakes.keyFetches(of: "oidc") == 0)
                    let nonce = #""nonce":"0123456789abcdef""#
                    let token = try await fakes.identityToken(
                        #"{"issuer":"oidc","subject":"7",\#(nonce),"claims":{"iss":"\"https://issuer.example\"","aud":"\"client-1\""}}"#
                    )
                    // The fetch has 2 s; a longer wait is 503.
                    let signedIn = try await gateway.post(
                        "/auth/oidc/acme", #"{"identityToken":"\#(token.identityToken)",\#(nonce)}"#)
                    #expect(signedIn.status == 200, "\(signedIn.text)")
                    #expect(try await fakes.keyFetches(of: "oidc") == 1)
                    for try await answer in group {
                        #expect(answer.headers["location"]?.contains("error=") == true, "\(answer.text)")
                    }
                }
            }
            try await fakes.clearScript()
        }
    }
}
