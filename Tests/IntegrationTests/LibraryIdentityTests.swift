import Foundation
import LatchkeyAuth
import LatchkeyAuthTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Live {
    /// The client library before a server that wants recent proofs of the user.
    @Suite(
        .serialized, .timeLimit(.minutes(5)),
        .stack([
            "LATCHKEY_FAKES": "1",
            "LATCHKEY_POLICY": KeyPolicy.write(
                "library-identities",
                changing: [
                    "claims: [phone, role]": "claims: [phone, role, auth_time]",
                    "  - path: /api/**":
                        "  - { path: /api/hello, upstream: app, access: bearer, maxAgeSeconds: 300 }\n  - path: /api/**",
                    "default others\n  ends: all": "default others\n  ends: others",
                ]),
        ]))
    struct LibraryIdentityTests {
        private let stack: LatchkeyStack
        private let auth: LatchkeyAuth
        private let questions = Questions()
        private let clock = TestClock(wall: Date())
        private let phone = LatchkeyStack.freshPhone()

        init() throws {
            stack = try #require(RunningStack.current)
            auth = try Self.client(of: stack, clock)
            auth.onReauthenticate { [auth, stack, questions, phone] in
                await questions.ask()
                try await auth.requestReauthentication()
                try await auth.reauthenticate(try await stack.code(for: phone))
            }
        }

        @Test func `a user shows again who they are, then replaces the number`() async throws {
            let other = LatchkeyStack.freshPhone()
            try await signIn(auth, phone)
            #expect(try await hello() == 200)

            try await fiveMinutesPass()
            async let one = hello()
            async let two = hello()
            #expect(try await [one, two] == [200, 200])
            #expect(await questions.count == 1, "both requests wait for one proof")

            try await fiveMinutesPass()
            let change = try await auth.requestIdentityCode(auth.prepareCode(phone: other))
            #expect(await questions.count == 2)
            try await auth.addIdentity(change, code: try await stack.code(for: other))
            #expect(auth.user?.phoneNumber == other)
            let identities = try await auth.identities().identities
            #expect(identities.map(\.value) == [other])
            #expect(try await hello() == 200, "the token is from after the change")
            await #expect(throws: AuthError.lastIdentity) { try await auth.removeIdentity(identities.first?.id ?? "") }
            #expect(await questions.count == 2)
            await auth.signOut()
        }

        @Test func `a user merges their other account by a code for its number`() async throws {
            let fakes = try FakeProviders(of: stack)
            let (otherPhone, subject) = (LatchkeyStack.freshPhone(), "001.\(phone.dropFirst())")
            func apple() async throws -> AppleCredential {
                AppleCredential(
                    identityToken: try await fakes.identityToken(#"{"subject":"\#(subject)"}"#).identityToken)
            }
            let other = try Self.client(of: stack, clock)
            try await signIn(other, otherPhone)
            try await other.addApple(try await apple())
            try await signIn(auth, phone)

            var token: MergeToken?
            let credential = try await apple()
            do throws(AuthError) { try await auth.addApple(credential) } catch {
                if case .identityInUse(let found) = error { token = found }
            }
            let merge = try #require(token)
            await #expect(throws: AuthError.mergeProofRequired(methods: ["phone"])) { try await auth.merge(merge) }
            await #expect(throws: AuthError.reauthenticationFailed) {
                try await auth.merge(merge, proof: .code("000000"))
            }
            try await auth.requestMergeCode(merge)
            try await auth.merge(merge, proof: .code(try await stack.code(for: otherPhone)))
            #expect(try await auth.identities().identities.map(\.kind).sorted() == ["apple", "phone"])
            #expect(auth.user?.phoneNumber == phone)
            // A token that was renewed a moment ago would not be renewed again.
            clock.advance(by: .seconds(31))
            await #expect(throws: AuthError.signedOut(.ended)) { try await other.reloadUser() }
            await auth.signOut()
        }

        private static func client(of stack: LatchkeyStack, _ clock: TestClock) throws -> LatchkeyAuth {
            var configuration = LatchkeyAuth.Configuration(baseURL: try #require(URL(string: stack.gateway.base)))
            configuration.store = MemoryStore()
            configuration.clock = clock
            return LatchkeyAuth(configuration)
        }

        private func signIn(_ auth: LatchkeyAuth, _ phone: String) async throws {
            try await auth.signIn(try await auth.requestCode(phone: phone), code: try await stack.code(for: phone))
        }

        private func hello() async throws -> Int {
            let url = try #require(URL(string: stack.gateway.base + "/api/hello"))
            return try await auth.data(for: URLRequest(url: url)).1.statusCode
        }

        /// Makes the session's last proof five minutes old, and the access token with it.
        private func fiveMinutesPass() async throws {
            _ = try await stack.sql("tokens", "UPDATE sessions SET authenticated_at = authenticated_at - 301")
            clock.advance(by: .seconds(31))
            let old = try await auth.accessToken()
            #expect(try await auth.accessToken(insteadOf: old) != old)
            clock.advance(by: .seconds(31))
        }
    }
}

/// The questions that the app has put to its user.
private actor Questions {
    private(set) var count = 0

    func ask() { count += 1 }
}
