import AccessTokens
import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import StrictJSON
import TestSupport
import Testing

/// howru with the API for administrators and a route for clients.
enum ClientPolicyFile {
    static let path = KeyPolicy.write(
        "clients",
        changing: [
            "  api: false": "  api: true",
            "  limit: { max: 300, windowSeconds: 60 }": "  limit: { max: 100000, windowSeconds: 60 }",
            "  - path: /api/**\n":
                """
              - { path: /api/hello, upstream: app, access: client, methods: [GET], identityAudience: app-api }
              - { path: /api/echo, upstream: app, access: optional }
              - path: /api/**

            """,
        ])
}

/// A client of the stack, made by its operator.
struct ClientUnderTest {
    static let assertionType = "urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer"

    let stack: LatchkeyStack
    let name: String
    var secret: String

    /// Creates a client under a fresh name.
    init(_ stack: LatchkeyStack, role: String = "reports") async throws {
        self.stack = stack
        name = "job-" + Hex.encode(SecureRandom.bytes(6))
        secret = try await Self.secret(stack, "create \(name) --role \(role)")
    }

    /// Runs a command and returns the secret, its last line.
    private static func secret(_ stack: LatchkeyStack, _ arguments: String) async throws -> String {
        let outcome = try await stack.control("clients \(arguments)")
        try #require(outcome.isSuccess, "\(outcome.output)")
        return String(try #require(outcome.output.split(separator: "\n").last))
    }

    func rotated(_ options: String = "") async throws -> String {
        try await Self.secret(stack, "rotate \(name) \(options)")
    }

    func revoke(_ command: String = "revoke") async throws {
        let outcome = try await stack.control("clients \(command) \(name)")
        #expect(outcome.isSuccess, "\(outcome.output)")
    }

    static func basic(_ id: String, _ secret: String) -> (String, String) {
        ("Authorization", "Basic \(Data("\(id):\(secret)".utf8).base64EncodedString())")
    }

    /// Sends a form to the token endpoint, with the client's Basic credentials unless others are given.
    func ask(
        _ body: String = "grant_type=client_credentials", headers: [(String, String)]? = nil, method: String = "POST",
        contentType: String = "application/x-www-form-urlencoded"
    ) async throws -> HTTPAnswer {
        try await stack.gateway.send(
            method, "/oauth/token",
            headers: (headers ?? [Self.basic(name, secret)]) + [("Content-Type", contentType)], body: Array(body.utf8))
    }

    func token() async throws -> String {
        let answer = try await ask()
        try #require(answer.status == 200, "\(answer.text)")
        return try answer.decoded(ClientTokenReply.self).accessToken
    }

    // MARK: - Assertions

    /// Gives the client a new key.
    func newKey(_ algorithm: SignatureAlgorithm = .ES256) async throws -> SigningKey {
        let key = try SigningKey.generate(keyID: "k", algorithm: algorithm)
        let jwk = try StrictJSON.encode(try #require(key.verificationKey.jwk))
        try await withScratchFolder { folder in
            try Data(jwk).write(to: URL(filePath: folder + "/key.json"))
            let outcome = try await stack.control("clients key \(name) --public-key \(folder)/key.json")
            try #require(outcome.isSuccess, "\(outcome.output)")
        }
        return key
    }

    /// Makes an assertion, with other members in place of the right ones; a member that is empty is left out.
    func assertion(
        _ key: SigningKey, jti: String = UUID().uuidString, _ changes: [String: String] = [:], lifetime: Int64 = 60,
        type: String? = "JWT"
    ) throws -> String {
        let now = Int64(Date().timeIntervalSince1970)
        var claims = ["iss": name, "sub": name, "aud": "howru.app", "jti": jti]
        claims.merge(changes) { $1 }
        var writer = JSONWriter()
        for (member, value) in claims.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
            writer.member(member, value)
        }
        writer.member("exp", now + lifetime)
        return try CompactJWS.sign(writer.finished(), type: type, with: key)
    }

    func ask(assertion: String, _ more: String = "") async throws -> HTTPAnswer {
        try await ask(
            "grant_type=client_credentials&client_assertion_type=\(Self.assertionType)&client_assertion=\(assertion)\(more)",
            headers: [])
    }
}
