import CoreMetrics
import CryptoPrimitives
import Policies
import ServiceCalls
import StrictJSON

/// Apple's server, which exchanges authorization codes for refresh tokens and revokes these. Only the outbox calls it.
///
/// See Apple's REST API, "Generate and validate tokens" and "Revoke tokens".
struct AppleServer: Sendable {
    /// How long one call may take. A round of the outbox is over before its lease expires.
    static let callLimit: Duration = .seconds(3)
    /// The most bytes of a response.
    static let bytesMax = 64 * 1024
    private static let tokenPath = "/auth/token"
    private static let revokePath = "/auth/revoke"
    private static let bodyLimits = StrictJSON.Limits(bytesMax: bytesMax, depthMax: 8)
    /// Apple's errors (RFC 6749 section 5.2). Any other text of a response is not repeated in logs and metrics.
    private static let errors: Set = [
        "invalid_client", "invalid_grant", "invalid_request", "invalid_scope", "unauthorized_client",
        "unsupported_grant_type",
    ]

    /// The base URL, without a slash at its end.
    let url: String
    let secret: AppleClientSecret
    /// Follows no redirect and reads no more than `bytesMax` bytes.
    let exchange: any ProviderExchange
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Exchanges a code, which serves once and is valid for five minutes.
    ///
    /// - Throws: `.refused` if the code was used or has expired; `.failed` if another attempt may succeed.
    func tokens(for code: AuthorizationCode) async throws(AppleFailure) -> AppleTokens {
        var fields = [("grant_type", "authorization_code"), ("code", code.code)]
        if let redirectURI = code.redirectURI { fields.append(("redirect_uri", redirectURI)) }
        let answer = try await post(Self.tokenPath, fields, clientID: code.clientID)
        guard let tokens = AppleTokens(answer) else { throw .refused("malformed") }
        return tokens
    }

    /// Revokes a refresh token, and with it the user's consent. Apple confirms a token that is invalid already.
    func revoke(_ token: String, clientID: String) async throws(AppleFailure) {
        _ = try await post(
            Self.revokePath, [("token", token), ("token_type_hint", "refresh_token")], clientID: clientID)
    }

    private func post(
        _ path: String, _ fields: [(String, String)], clientID: String
    ) async throws(AppleFailure) -> [UInt8] {
        let answer: ProviderAnswer
        do {
            let client = [("client_id", clientID), ("client_secret", try secret.text(for: clientID, now: now()))]
            answer = try await exchange.send(
                ProviderRequest(
                    url: url + path, headers: ["Content-Type": FormText.mediaType, "Accept": "application/json"],
                    body: Array(FormText.encode(client + fields).utf8)),
                within: Self.callLimit)
        } catch {
            if !IdentityProviderErrors.count(error, of: IdentityProviderPolicy.appleName) { Self.count("unavailable") }
            throw .failed("\(error)")
        }
        guard answer.status != 200 else { return answer.body }
        let name = Self.error(in: answer)
        Self.count(name)
        throw name == "invalid_grant" ? .refused(name) : .failed(name)
    }

    /// Apple's error, or the status if the response states none.
    private static func error(in answer: ProviderAnswer) -> String {
        let status = "status \(answer.status)"
        guard answer.status == 400 else { return status }
        do {
            let name = try StrictJSON.parse(answer.body, limits: bodyLimits).objectValue?["error"]?.stringValue
            return name.flatMap { errors.contains($0) ? $0 : nil } ?? status
        } catch { return status }
    }

    private static func count(_ code: String) {
        Counter(label: "auth_provider_errors_total", dimensions: [("provider", "apple"), ("code", code)]).increment()
    }
}

/// The reason why Apple did not do what it was asked for. It contains no part of a token or code.
enum AppleFailure: Error, Equatable {
    /// Another attempt has the same result.
    case refused(String)
    /// Apple is unavailable, or the deployment's key is not accepted.
    case failed(String)

    var cause: String {
        switch self {
        case .refused(let cause), .failed(let cause): cause
        }
    }
}

/// Apple's response to the exchange of a code.
struct AppleTokens: Sendable, Equatable {
    private static let tokenBytesMax = 4_096

    let refreshToken: String
    /// The `sub` of the response's ID token. Its signature is not verified, since the response came from Apple over TLS (OpenID
    /// Connect Core section 3.1.3.7, rule 6).
    let subject: String

    init(refreshToken: String, subject: String) { (self.refreshToken, self.subject) = (refreshToken, subject) }

    /// Reads a response, or returns `nil` if it has no refresh token or no ID token.
    init?(_ body: [UInt8]) {
        let limits = StrictJSON.Limits(bytesMax: AppleServer.bytesMax, depthMax: 8)
        do {
            let object = try StrictJSON.parse(body, limits: limits).objectValue
            guard let token = object?["refresh_token"]?.stringValue,
                (1...Self.tokenBytesMax).contains(token.utf8.count),
                let parts = object?["id_token"]?.stringValue?.split(separator: "."), parts.count == 3,
                let payload = Base64URL.decode(String(parts[1])),
                let subject = try StrictJSON.parse(payload, limits: limits).objectValue?["sub"]?.stringValue
            else { return nil }
            self.init(refreshToken: token, subject: subject)
        } catch { return nil }
    }
}
