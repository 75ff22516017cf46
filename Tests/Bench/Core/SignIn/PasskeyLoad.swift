import AccessTokens
import AuthAPI
import CryptoPrimitives
import TestSupport

/// Users who have signed up by code and added a passkey, by their indices.
struct PasskeyLoad: Sendable {
    /// The origin of the page that has the passkeys.
    private static let origin = "http://localhost:5173"
    private static let relyingPartyID = "localhost"
    /// The section of the policy.
    static let section = "passkeys: { rpID: \(relyingPartyID), origins: [\"\(origin)\"] }"

    private let authenticators: [Int: SoftwareAuthenticator]

    /// Signs the users of `indices` up.
    init(_ indices: Range<Int>, _ load: StackUnderLoad, connections: Int) async throws {
        let client = SignInClient(hooks: load.hooks)
        let users = try await LoadConnection.with(connections, port: load.gatewayPort) { opened in
            try await LoadRun.over(opened, indices, within: .seconds(1800)) { index, connection in
                let tokens = try await client.tokens(SignInNumbers.number(index), over: connection)
                return (index, try await Self.add(bearer: tokens.accessToken, over: connection))
            }
        }
        authenticators = Dictionary(users.values) { first, _ in first }
    }

    /// Signs the users of `indices` in by their passkeys, each once.
    func signIn(
        _ indices: Range<Int>, _ load: StackUnderLoad, connections: Int
    ) async throws -> [SignInClient.Latencies] {
        try await LoadConnection.with(connections, port: load.gatewayPort) { opened in
            try await LoadRun.over(opened, indices, within: .seconds(900)) { index, connection in
                guard let authenticator = authenticators[index] else {
                    throw UnexpectedReply(description: "user \(index) has no passkey")
                }
                return try await Self.signIn(authenticator, over: connection)
            }.values
        }
    }

    private static func signIn(
        _ authenticator: SoftwareAuthenticator, over connection: LoadConnection
    ) async throws -> SignInClient.Latencies {
        let start = ContinuousClock.now
        let options = try await options("/auth/passkeys/options", over: connection)
        let received = ContinuousClock.now
        let assertion = try authenticator.assertion(challenge: try options.challenge)
        let request = LoadRequest.json("/auth/passkeys/verify", options.body(assertion.json))
        let sent = ContinuousClock.now
        let reply = try await connection.send(request).decoded(SignedInReply.self, of: request.path)
        let end = ContinuousClock.now
        guard !reply.isNewUser, !reply.tokens.refreshToken.isEmpty else {
            throw UnexpectedReply(description: "\(request.path) is not the sign-in of a known user")
        }
        return SignInClient.Latencies(
            requestMilliseconds: (received - start) / .milliseconds(1),
            verifyMilliseconds: (end - sent) / .milliseconds(1))
    }

    private static func add(
        bearer token: String, over connection: LoadConnection
    ) async throws -> SoftwareAuthenticator {
        let options = try await options("/users/me/passkeys/options", bearer: token, over: connection)
        guard let handle = options.publicKey.user.flatMap({ Base64URL.decode($0.id) }) else {
            throw UnexpectedReply(description: "the options of a passkey have no user")
        }
        let authenticator = try SoftwareAuthenticator(
            relyingPartyID: relyingPartyID, origin: origin, userHandle: handle)
        let registration = authenticator.registration(challenge: try options.challenge)
        let request = LoadRequest.json("/users/me/passkeys", options.body(registration.json), bearer: token)
        try await connection.send(request, expecting: 201)
        return authenticator
    }

    private static func options(
        _ path: String, bearer token: String? = nil, over connection: LoadConnection
    ) async throws -> PasskeyOptions {
        try await connection.send(.json(path, "{}", bearer: token)).decoded(PasskeyOptions.self, of: path)
    }
}

/// The members of options that a client needs.
private struct PasskeyOptions: Decodable {
    struct PublicKey: Decodable {
        struct User: Decodable { let id: String }

        let challenge: String
        let user: User?
    }

    let challengeId: String
    let publicKey: PublicKey

    var challenge: [UInt8] {
        get throws {
            guard let bytes = Base64URL.decode(publicKey.challenge) else {
                throw UnexpectedReply(description: "the challenge is no base64url")
            }
            return bytes
        }
    }

    /// The body that answers the challenge with a credential.
    func body(_ credential: String) -> String { "{\"challengeId\":\"\(challengeId)\",\"credential\":\(credential)}" }
}

/// The members of a sign-in that a load checks.
private struct SignedInReply: Decodable {
    struct Tokens: Decodable { let refreshToken: String }

    let isNewUser: Bool
    let tokens: Tokens
}

extension LoadRequest {
    /// A request of an app with this text as its body.
    fileprivate static func json(_ path: String, _ body: String, bearer token: String? = nil) -> LoadRequest {
        let bearer = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        return LoadRequest("POST", path, headers: app + bearer, body: Array(body.utf8))
    }
}
