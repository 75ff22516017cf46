import AccessTokens
import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import Glibc
import StrictJSON
import TestSupport
import Testing

private enum PasskeyPolicyFile {
    static let path = PasskeyClient.policy("passkeys", "perUserMax: 3, signUp: true, restoreKeys: true")
}

extension Live {
    /// Passkeys through all processes.
    @Suite(.serialized, .timeLimit(.minutes(5)), .stack(["LATCHKEY_POLICY": PasskeyPolicyFile.path]))
    struct PasskeySignInTests {
        let stack: LatchkeyStack
        let client: PasskeyClient

        init() throws {
            stack = try #require(RunningStack.current)
            client = PasskeyClient(stack: stack)
        }

        private func refuses(_ answer: HTTPAnswer, _ status: Int, _ code: String) throws -> Bool {
            try answer.status == status && answer.json["code"]?.stringValue == code
        }

        private func own(_ token: String) async throws -> [JSONValue] {
            let answer = try await stack.gateway.get("/users/me/passkeys", bearer: token)
            guard case .array(let passkeys)? = try answer.json["passkeys"] else {
                throw UnexpectedAnswer(to: "GET /users/me/passkeys", answer)
            }
            return passkeys
        }

        @Test(arguments: [SignatureAlgorithm.ES256, .EdDSA, .RS256])
        func `after one code, a passkey signs in without a message`(algorithm: SignatureAlgorithm) async throws {
            let phone = LatchkeyStack.freshPhone()
            let first = try await stack.signIn(phone: phone)
            let (authenticator, added) = try await client.add(
                bearer: first.tokens.accessToken, algorithm: algorithm)
            #expect(added.status == 201, "\(added.text)")
            #expect(
                Set(try added.json.memberNames ?? []).isSuperset(of: [
                    "id", "name", "kind", "createdAt", "backedUp", "aaguid",
                ]))
            let before = try await stack.messages(to: phone).count
            let answer = try await client.signIn(authenticator)
            #expect(answer.status == 200, "\(answer.text)")
            let signedIn: SignInReply = try answer.decoded()
            #expect(signedIn.user.id == first.user.id && !signedIn.isNewUser)
            #expect(try await stack.gateway.get("/users/me", bearer: signedIn.tokens.accessToken).status == 200)
            #expect(try await stack.messages(to: phone).count == before)
        }

        @Test func `an assertion serves one call and its repeats, with an empty Redis too`() async throws {
            let user = try await client.user()
            let options = try await client.options()
            let body = options.body(try user.authenticator.assertion(challenge: options.challenge).json)
            let first = try await client.send("/auth/passkeys/verify", body, key: "one")
            #expect(first.status == 200, "\(first.text)")
            let again = try await client.send("/auth/passkeys/verify", body, key: "one")
            #expect(again.status == 200, "\(again.text)")
            let session = { (answer: HTTPAnswer) in
                try TokenParts(try answer.decoded(SignInReply.self).tokens.accessToken).claims["sid"]?.stringValue
            }
            #expect(try session(again) == session(first))
            let refused = { (key: String?) async throws -> Bool in
                try refuses(
                    try await client.send("/auth/passkeys/verify", body, key: key), 401, "passkey_refused")
            }
            #expect(try await refused("two"))
            #expect(try await refused(nil))
            try await stack.without(["redis"]) {
                try FileManager.default.removeItem(atPath: stack.dataDirectory + "/redis/appendonlydir")
            }
            try await eventually("sign-in works again") { try await client.signIn(user.authenticator).status == 200 }
            #expect(try await refused("three"))
            try await stack.restart("user", by: SIGKILL)
            #expect(try await refused("four"))
        }

        @Test func `of fifty calls with one assertion, one opens a session`() async throws {
            let user = try await client.user()
            let options = try await client.options()
            let body = options.body(try user.authenticator.assertion(challenge: options.challenge).json)
            let statuses = try await concurrently(50) { _ in
                try await client.send("/auth/passkeys/verify", body).status
            }
            #expect(statuses.count { $0 == 200 } == 1, "\(statuses)")
            #expect(statuses.allSatisfy { [200, 401, 503].contains($0) }, "\(statuses)")
        }

        @Test func `without Redis a passkey still opens a session`() async throws {
            let user = try await client.user()
            let options = try await client.options()
            let body = options.body(try user.authenticator.assertion(challenge: options.challenge).json)
            try await stack.without(["redis"]) {
                let answer = try await client.send("/auth/passkeys/verify", body)
                #expect(answer.status == 200, "\(answer.text)")
            }
        }

        @Test func `a removed passkey ends the sessions that it opened, and no others`() async throws {
            let user = try await client.user()
            let opened: SignInReply = try await client.signIn(user.authenticator).decoded()
            let path = "/users/me/passkeys/\(user.passkey)"
            func remove(_ token: String) async throws -> Int {
                try await stack.gateway.send("DELETE", path, headers: [("Authorization", "Bearer \(token)")]).status
            }
            let another = try await stack.signIn()
            #expect(try await remove(another.tokens.accessToken) == 404)
            #expect(try await own(user.signIn.tokens.accessToken).count == 1)
            #expect(try await remove(user.signIn.tokens.accessToken) == 204)
            try await eventually("the session has ended") {
                try await stack.gateway.get("/users/me", bearer: opened.tokens.accessToken).status == 401
            }
            let refresh = RefreshBody(refreshToken: user.signIn.tokens.refreshToken)
            // The others stay, and their tokens are renewed, since they may state what the passkey had shown.
            let renewed: TokenReply = try await stack.gateway.post("/auth/refresh", encoding: refresh).decoded()
            #expect(try await own(renewed.accessToken).isEmpty)
            #expect(try refuses(try await client.signIn(user.authenticator), 401, "passkey_refused"))
        }

        @Test func `a passkey is listed for signals, and renamed`() async throws {
            let user = try await client.user()
            let token = user.signIn.tokens.accessToken
            let listed = try #require(try await own(token).first)
            #expect(listed["credentialId"]?.stringValue == Base64URL.encode(user.authenticator.credentialID))
            #expect(listed["userHandle"]?.stringValue == Base64URL.encode(user.authenticator.userHandle))
            func rename(_ name: String) async throws -> HTTPAnswer {
                try await stack.gateway.send(
                    "PATCH", "/users/me/passkeys/\(user.passkey)",
                    headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
                    body: Array("{\"name\":\"\(name)\"}".utf8))
            }
            #expect(try await rename("Tablet").json["name"]?.stringValue == "Tablet")
            #expect(try await rename(String(repeating: "x", count: 65)).status == 400)
            #expect(try await own(token).first?["name"]?.stringValue == "Tablet")
        }

        @Test func `a registration is known once, is repeated with its key, and has a limit`() async throws {
            let user = try await stack.signIn()
            let token = user.tokens.accessToken
            let options = try await client.options("/users/me/passkeys/options", bearer: token)
            let authenticator = try SoftwareAuthenticator(
                relyingPartyID: "localhost", origin: PasskeyClient.origin, userHandle: options.userHandle)
            let body = options.body(authenticator.registration(challenge: options.challenge).json)
            let added = try await client.send("/users/me/passkeys", body, bearer: token, key: "k")
            let again = try await client.send("/users/me/passkeys", body, bearer: token, key: "k")
            #expect(added.status == 201 && again.status == 201 && again.text == added.text, "\(again.text)")
            // Another user cannot have the credential too.
            let other = try await stack.signIn().tokens.accessToken
            let theirs = try await client.options("/users/me/passkeys/options", bearer: other)
            let taken = theirs.body(authenticator.registration(challenge: theirs.challenge).json)
            #expect(
                try refuses(
                    try await client.send("/users/me/passkeys", taken, bearer: other), 409, "passkey_exists"))
            // After a code alone a further one waits, and the user's list says so.
            let waiting = try await client.add(bearer: token).answer
            #expect(waiting.status == 202, "\(waiting.text)")
            #expect(try waiting.json["activeFrom"]?.integerValue != nil)
            #expect(try await client.add(bearer: token).answer.status == 202)
            #expect(try refuses(try await client.add(bearer: token).answer, 409, "too_many_passkeys"))
            #expect(try await own(token).count == 3)
        }

        @Test func `a sign-up's passkey is added after the code, once`() async throws {
            let options = try await client.options("/auth/passkeys/signup/options")
            #expect(options.json["user"]?["name"]?.stringValue == "" && options.userHandle.count == 32)
            let authenticator = try SoftwareAuthenticator(
                relyingPartyID: "localhost", origin: PasskeyClient.origin, userHandle: options.userHandle)
            let body = options.body(authenticator.registration(challenge: options.challenge).json)
            // It opens no session, and needs one.
            #expect(try await client.send("/users/me/passkeys", body).status == 401)
            let user = try await stack.signIn()
            let added = try await client.send("/users/me/passkeys", body, bearer: user.tokens.accessToken)
            #expect(added.status == 201, "\(added.text)")
            let signedIn: SignInReply = try await client.signIn(authenticator).decoded()
            #expect(signedIn.user.id == user.user.id)
            let other = try await stack.signIn()
            #expect(try await client.send("/users/me/passkeys", body, bearer: other.tokens.accessToken).status >= 400)
        }

        @Test func `a passkey shows again who the user is, in its session only`() async throws {
            let user = try await client.user()
            let token = user.signIn.tokens.accessToken
            func body(_ bearer: String) async throws -> String {
                let options = try await client.options("/auth/reauthenticate/options", bearer: bearer)
                return options.body(try user.authenticator.assertion(challenge: options.challenge).json)
            }
            let other = try await stack.signIn().tokens.accessToken
            let theirs: SignInReply = try await client.signIn(user.authenticator).decoded()
            for (bearer, holder) in [(other, token), (token, theirs.tokens.accessToken)] {
                let answer = try await client.send("/auth/reauthenticate", try await body(holder), bearer: bearer)
                #expect(try refuses(answer, 403, "reauthentication_failed"), "\(answer.text)")
            }
            // A challenge of a sign-in has no owner, and is no step-up.
            let signIn = try await client.options()
            let assertion = try user.authenticator.assertion(challenge: signIn.challenge)
            let foreign = try await client.send("/auth/reauthenticate", signIn.body(assertion.json), bearer: token)
            #expect(try refuses(foreign, 403, "reauthentication_failed"), "\(foreign.text)")
            let own = try await body(token)
            #expect(try await client.send("/auth/reauthenticate", own, bearer: token).status == 200)
            #expect(try await client.send("/auth/reauthenticate", own, bearer: token).status == 403)
            #expect(try await client.send("/auth/passkeys/verify", own).status == 401)
        }

        @Test func `a clone of a key that cannot be backed up is refused`() async throws {
            let signIn = try await stack.signIn()
            let options = try await client.options("/users/me/passkeys/options", bearer: signIn.tokens.accessToken)
            var key = try SoftwareAuthenticator(
                relyingPartyID: "localhost", origin: PasskeyClient.origin, userHandle: options.userHandle)
            (key.flags, key.signCount) = (0x05, 7)
            let body = options.body(key.registration(challenge: options.challenge).json)
            let added = try await client.send("/users/me/passkeys", body, bearer: signIn.tokens.accessToken)
            #expect(added.status == 201, "\(added.text)")
            for (count, status) in [(8, 200), (8, 401), (7, 401), (9, 200)] as [(UInt32, Int)] {
                key.signCount = count
                #expect(try await client.signIn(key).status == status, "\(count)")
            }
        }
    }
}
