import AccessTokens
import AuthAPI
import CryptoPrimitives
import StrictJSON
import TestSupport

/// An app with passkeys against a running stack, whose policy has them for pages of `origin`.
struct PasskeyClient {
    static let origin = "http://localhost:5173"

    /// Writes howru's policy with passkeys, and returns its path.
    static func policy(_ name: String, _ more: String = "", changing: [String: String] = [:]) -> String {
        let section = "passkeys: { rpID: localhost, origins: [\"\(origin)\"]\(more.isEmpty ? "" : ", ")\(more) }"
        return KeyPolicy.write(
            name, changing: changing.merging(["trustedProxies: []": "trustedProxies: []\n\(section)"]) { $1 })
    }

    /// Options that the gateway returned.
    struct Options {
        let id: String
        let challenge: [UInt8]
        /// Only of a registration.
        let userHandle: [UInt8]
        let json: JSONValue

        init(_ answer: HTTPAnswer, at path: String) throws {
            guard answer.status == 200, let id = try answer.json["challengeId"]?.stringValue,
                let publicKey = try answer.json["publicKey"],
                let challenge = publicKey["challenge"]?.stringValue.flatMap({ Base64URL.decode($0) })
            else { throw UnexpectedAnswer(to: "POST \(path)", answer) }
            (self.id, self.challenge, json) = (id, challenge, publicKey)
            userHandle = publicKey["user"]?["id"]?.stringValue.flatMap { Base64URL.decode($0) } ?? []
        }

        /// The body that answers the challenge with a credential.
        func body(_ credential: String, _ more: String = "") -> String {
            "{\"challengeId\":\"\(id)\",\"credential\":\(credential)\(more)}"
        }
    }

    let stack: LatchkeyStack

    func options(
        _ path: String = "/auth/passkeys/options", _ body: String = "{}", bearer token: String? = nil
    ) async throws -> Options {
        try Options(try await stack.gateway.post(path, body, bearer: token), at: path)
    }

    func send(
        _ path: String, _ body: String, bearer token: String? = nil, key: String? = nil
    ) async throws -> HTTPAnswer {
        try await stack.gateway.send(
            "POST", path,
            headers: [("Content-Type", "application/json")] + (token.map { [("Authorization", "Bearer \($0)")] } ?? [])
                + (key.map { [("Idempotency-Key", $0)] } ?? []), body: Array(body.utf8))
    }

    /// Adds a passkey to the bearer's account, and returns its authenticator and the response.
    func add(
        bearer token: String, kind: String = "passkey", algorithm: SignatureAlgorithm = .ES256
    ) async throws -> (authenticator: SoftwareAuthenticator, answer: HTTPAnswer) {
        let options = try await options("/users/me/passkeys/options", "{\"kind\":\"\(kind)\"}", bearer: token)
        let authenticator = try SoftwareAuthenticator(
            algorithm: algorithm, relyingPartyID: "localhost", origin: Self.origin, userHandle: options.userHandle)
        let registration = authenticator.registration(challenge: options.challenge)
        let answer = try await send(
            "/users/me/passkeys", options.body(registration.json, ",\"name\":\"Phone\""), bearer: token)
        return (authenticator, answer)
    }

    /// Signs in, and returns the response.
    func signIn(_ authenticator: SoftwareAuthenticator) async throws -> HTTPAnswer {
        let options = try await options()
        let assertion = try authenticator.assertion(challenge: options.challenge)
        return try await send("/auth/passkeys/verify", options.body(assertion.json))
    }

    /// A new user with a passkey.
    func user() async throws -> (signIn: SignInReply, authenticator: SoftwareAuthenticator, passkey: String) {
        let signIn = try await stack.signIn()
        let (authenticator, answer) = try await add(bearer: signIn.tokens.accessToken)
        guard answer.status == 201, let id = try answer.json["id"]?.stringValue else {
            throw UnexpectedAnswer(to: "POST /users/me/passkeys", answer)
        }
        return (signIn, authenticator, id)
    }
}
