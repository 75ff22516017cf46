import AccessTokens
import CryptoPrimitives
import ServiceCalls
import StrictJSON
import Synchronization

/// Apple's server for tokens: `POST /auth/token` and `POST /auth/revoke`. It knows no HTTP.
final class AppleServerFake: Sendable {
    /// How many seconds a code is valid.
    static let codeSeconds: Int64 = 300
    static let tokenPath = "/auth/token"
    static let revokePath = "/auth/revoke"
    /// The number of codes and tokens that are remembered.
    private static let countMax = 10_000

    /// The key of a deployment at Apple.
    struct Client: Sendable {
        let teamID: String
        let key: VerificationKey
    }

    private struct Code {
        let subject, clientID: String
        let redirectURI: String?
        let at: Int64
        var isUsed = false
    }

    /// A refresh token that was issued.
    struct Token: Codable, Sendable, Equatable {
        let token, subject, clientID: String
        var revocations = 0
    }

    /// The calls that were received.
    struct Ledger: Codable, Sendable, Equatable {
        /// Tokens in the order of their codes' exchanges.
        var tokens: [Token] = []
        /// The number of exchanges and revocations that were refused.
        var refused = 0
    }

    private let mint: TokenMint
    private let client: Client?
    private let now: @Sendable () -> Int64
    private let state = Mutex((codes: [String: Code](), ledger: Ledger()))

    /// - Parameters:
    ///   - client: the one deployment that Apple knows; `nil` for none, so that each call is refused.
    ///   - now: Unix time in seconds.
    init(mint: TokenMint, client: Client?, now: @escaping @Sendable () -> Int64) {
        (self.mint, self.client, self.now) = (mint, client, now)
    }

    var ledger: Ledger { state.withLock(\.ledger) }

    /// Issues a code for a user who has signed in.
    ///
    /// - Parameter redirectURI: the redirect URI of the authorize request; `nil` if an app signs in.
    func code(for subject: String, clientID: String, redirectURI: String? = nil) -> String {
        let text = "c" + Hex.encode(SecureRandom.bytes(16)) + ".0.fake"
        let code = Code(subject: subject, clientID: clientID, redirectURI: redirectURI, at: now())
        state.withLock { state in
            if state.codes.count >= Self.countMax { state.codes.removeAll() }
            state.codes[text] = code
        }
        return text
    }

    /// Answers a call of the path with a form.
    func answer(_ path: String, _ body: String) throws -> (status: Int, body: String) {
        let fields = Dictionary(FormText.decode(body, countMax: 16) ?? []) { first, _ in first }
        do throws(Refusal) {
            let clientID = try authenticate(fields)
            return (200, try path == Self.tokenPath ? exchange(fields, clientID) : revoke(fields, clientID))
        } catch {
            state.withLock { $0.ledger.refused += 1 }
            return (400, "{\"error\":\"\(error.rawValue)\"}")
        }
    }

    /// Apple's errors.
    private enum Refusal: String, Error {
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidRequest = "invalid_request"
        case unsupportedGrantType = "unsupported_grant_type"
    }

    private func exchange(_ fields: [String: String], _ clientID: String) throws(Refusal) -> String {
        guard fields["grant_type"] == "authorization_code" else { throw .unsupportedGrantType }
        guard let text = fields["code"] else { throw .invalidRequest }
        let now = now()
        let token: Token? = state.withLock { state in
            guard let code = state.codes[text], !code.isUsed, code.clientID == clientID,
                code.redirectURI == fields["redirect_uri"], now < code.at + Self.codeSeconds
            else { return nil }
            state.codes[text]?.isUsed = true
            let token = Token(
                token: "r" + Hex.encode(SecureRandom.bytes(16)) + ".0.fake", subject: code.subject, clientID: clientID)
            state.ledger.tokens = Array((state.ledger.tokens + [token]).suffix(Self.countMax))
            return token
        }
        guard let token else { throw .invalidGrant }
        let wish = TokenWish(subject: token.subject, audience: clientID)
        do {
            let idToken = try mint.token(wish, now: now).identityToken
            return #"{"access_token":"a.fake","token_type":"Bearer","expires_in":3600,"refresh_token":""#
                + #"\#(token.token)","id_token":"\#(idToken)"}"#
        } catch { throw .invalidRequest }
    }

    private func revoke(_ fields: [String: String], _ clientID: String) throws(Refusal) -> String {
        guard let text = fields["token"], fields["token_type_hint"] == "refresh_token" else { throw .invalidRequest }
        state.withLock { state in
            // Apple confirms an unknown token too.
            let index = state.ledger.tokens.firstIndex { $0.token == text && $0.clientID == clientID }
            if let index { state.ledger.tokens[index].revocations += 1 }
        }
        return ""
    }

    /// Checks the client secret and returns the client's id.
    private func authenticate(_ fields: [String: String]) throws(Refusal) -> String {
        guard let client, let id = fields["client_id"], let secret = fields["client_secret"] else {
            throw .invalidClient
        }
        do throws(TokenRejection) {
            let token = try CompactJWS(Array(secret.utf8))
            guard token.header.keyID == client.key.keyID else { throw .unknownKey }
            let claims = try ClaimReader(json: try token.payload(verifiedWith: client.key))
            let (issued, expiry) = (try claims.integer("iat"), try claims.integer("exp"))
            guard try claims.string("iss") == client.teamID, try claims.string("sub") == id,
                try claims.string("aud") == TokenMint.appleIssuer, now() < expiry, expiry - issued <= 15_777_000
            else { throw .invalidClaim }
            return id
        } catch { throw .invalidClient }
    }
}
