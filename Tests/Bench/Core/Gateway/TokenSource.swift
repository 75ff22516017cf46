import AccessTokens
import AuthAPI
import CryptoPrimitives
import FoundationEssentials
import TestSupport

/// Access tokens by the thousand that a stack accepts, each of another user and session.
///
/// A key made here is imported into the stack as an operator imports one; tokens are signed with it in the shape of one that
/// a real sign-in has brought. That costs a signature each, instead of a whole sign-in.
struct TokenSource: Sendable {
    private static let keyID = "bench"

    /// The key set as the stack publishes it.
    let publishedKeySet: [UInt8]
    /// The public key of all tokens, as PEM.
    let publicKey: String
    var issuer: String { template.issuer }
    var audience: String { template.audience.first ?? "" }
    private let key: SigningKey
    private let template: AccessTokenClaims

    /// Imports a key, signs in for the template, and waits until the gateway accepts a token of that key.
    init(for stack: LatchkeyStack) async throws {
        key = try SigningKey.generate(keyID: Self.keyID, algorithm: .RS256)
        publicKey = try await Self.publish(key, in: stack)
        let token = try await stack.signIn(name: "Betty").tokens.accessToken
        let published = try await stack.gateway.get("/.well-known/jwks.json")
        let keySet = try published.decoded(JSONWebKeySet.self)
        publishedKeySet = published.body
        guard keySet.keys.contains(where: { $0.kid == Self.keyID }) else {
            throw UnexpectedReply(description: "the imported key is not published")
        }
        template = try Self.claims(of: token, keySet)
        let first = try self.token(of: "first")
        try await eventually("the gateway accepts the imported key") {
            try await stack.gateway.get(NginxUpstream.smallPath, bearer: first).status == 200
        }
    }

    /// So many different tokens, signed on all cores.
    func tokens(_ count: Int, series: String) async throws -> [String] {
        let share = max((count + Machine.coreCount - 1) / Machine.coreCount, 1)
        return try await withThrowingTaskGroup(of: [String].self) { group in
            for start in stride(from: 0, to: count, by: share) {
                group.addTask { @concurrent in
                    try (start..<min(start + share, count)).map { try token(of: "\(series)-\($0)") }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// A token of the user `name`; `change` makes it one that is not good.
    func token(of name: String, _ change: (inout AccessTokenClaims) -> Void = { _ in }) throws -> String {
        var claims = template
        claims.subject = subject(of: name)
        claims.tokenID = Hex.encode(SecureRandom.bytes(16))
        claims.sessionID = Hex.encode(SecureRandom.bytes(12))
        change(&claims)
        return try AccessTokenSigner().sign(claims, with: key)
    }

    /// Returns the token with another signature.
    func forged(_ token: String) throws -> String {
        let unsigned = token.split(separator: ".").prefix(2).joined(separator: ".")
        let stranger = try SigningKey.generate(keyID: Self.keyID, algorithm: .RS256)
        return unsigned + "." + Base64URL.encode(try stranger.sign(Array(unsigned.utf8)))
    }

    /// Returns a subject as long as the id of the user who signed in.
    func subject(of name: String) -> String {
        let digest = Hex.encode(SHA256.hash(Array(name.utf8)))
        let kept = template.subject.prefix { $0 != "_" }
        return "\(kept)_" + digest.prefix(max(template.subject.count - kept.count - 1, 8))
    }

    /// Imports the key by the stack's own latchkeyctl: what that says to token-service may differ from build to build.
    ///
    /// - Returns: the public key as PEM.
    private static func publish(_ key: SigningKey, in stack: LatchkeyStack) async throws -> String {
        let file = stack.dataDirectory + "/\(keyID).pem"
        let base64 = Data(key.privateKeyDER).base64EncodedString(options: [
            .lineLength64Characters, .endLineWithLineFeed,
        ])
        try "-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n"
            .write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try await KeyControl(stack: stack).run("import '\(file)' --kid \(keyID) --algorithm RS256")
        let publicKey = try await Shell.run("openssl pkey -in '\(file)' -pubout", in: stack.dataDirectory)
        guard outcome.isSuccess, publicKey.isSuccess else {
            throw UnexpectedReply(description: "keys import: \(outcome.output)\(publicKey.isSuccess)")
        }
        return publicKey.output
    }

    private static func claims(of token: String, _ keySet: JSONWebKeySet) throws -> AccessTokenClaims {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let payload = Base64URL.decode(String(parts[1])) else {
            throw UnexpectedReply(description: "the access token of a sign-in has not three parts")
        }
        let named = try JSONDecoder().decode(Names.self, from: Data(payload))
        let verifier = AccessTokenVerifier(
            issuer: named.iss, audience: named.aud, keys: try VerificationKeySet(keySet))
        return try verifier.verify(Array(token.utf8), now: Report.now())
    }

    private struct Names: Decodable {
        let iss: String
        let aud: String
    }
}
