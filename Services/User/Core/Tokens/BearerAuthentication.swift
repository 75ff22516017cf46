import AccessTokens
import Logging
import Policies
import ServiceCalls
import ServiceHTTP

/// Reads the user of a request from its access token.
struct BearerAuthentication: Sendable {
    let issuer: String
    let audience: String
    let leewaySeconds: Int64
    let userIDPrefix: String
    let keys: TokenKeyCache<VerificationKeySet>
    /// The keys that administrators may present in place of an access token; `nil` if there are none.
    var adminKeys: AdminKeys?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    /// The forms of users' tokens beside the policy's own.
    var forms: [TokenForm] = []

    /// Verifies an access token and returns its user.
    ///
    /// - Parameter accessToken: the request's access token, or `nil` if it has none.
    func user(accessToken: String?) async throws(AuthenticationFailure) -> SignedInUser {
        guard let accessToken, accessToken.utf8.count <= TokenLimits.tokenBytesMax else { throw .noToken }
        return try user(of: try await claims(Array(accessToken.utf8), audience))
    }

    private func user(of claims: AccessTokenClaims) throws(AuthenticationFailure) -> SignedInUser {
        guard let id = UserID(text: claims.subject, prefix: userIDPrefix) else { throw .foreignSubject }
        return SignedInUser(id: id, sessionID: claims.sessionID)
    }

    /// Verifies the access token of a user or a client, for the operations that are open to both.
    func adminCaller(accessToken: String?) async throws(AuthenticationFailure) -> AdminCaller {
        guard let accessToken, accessToken.utf8.count <= TokenLimits.tokenBytesMax else { throw .noToken }
        let token = Array(accessToken.utf8)
        if let name = adminKeys?.name(of: token) { return .key(name) }
        do throws(AuthenticationFailure) { return .user(try user(of: try await claims(token, audience))) } catch {
            guard error == .rejected(.wrongAudience) else { throw error }
        }
        let claims = try await claims(token, ClientAudience.of(audience))
        return .client(
            AuthenticatedClient(id: claims.subject, sid: claims.sessionID, authenticatedAt: claims.issuedAt))
    }

    /// Returns the user of a call, or `nil` if the access token is missing or invalid.
    ///
    /// - Throws: 503 while the token cannot be verified.
    func caller(of call: ServiceCall) async throws -> SignedInUser? {
        try await verified(call) { token throws(AuthenticationFailure) in try await user(accessToken: token) }
    }

    /// Returns the user or client of a call, or `nil` if the access token is missing or invalid.
    ///
    /// - Throws: 503 while the token cannot be verified.
    func adminCaller(of call: ServiceCall) async throws -> AdminCaller? {
        try await verified(call) { token throws(AuthenticationFailure) in try await adminCaller(accessToken: token) }
    }

    private func verified<Value>(
        _ call: ServiceCall, _ verify: (String?) async throws(AuthenticationFailure) -> Value
    ) async throws -> Value? {
        do throws(AuthenticationFailure) {
            return try await verify(call.accessToken)
        } catch {
            guard error != .keysUnavailable else { throw ServiceProblem.unavailable("The token service") }
            call.logger.notice("access_token.refused", metadata: ["reason": "\(error.reason)"])
            return nil
        }
    }

    private func claims(
        _ token: [UInt8], _ audience: String
    ) async throws(AuthenticationFailure) -> AccessTokenClaims {
        guard let known = await keys.current() else { throw .keysUnavailable }
        do throws(TokenRejection) {
            return try verify(token, audience, known.set)
        } catch {
            guard error == .unknownKey else { throw .rejected(error) }
        }
        guard let newer = await keys.newer() else { throw .keysUnavailable }
        do throws(TokenRejection) {
            return try verify(token, audience, newer.set)
        } catch {
            // The key may be newer than a stale key set, which is not the client's fault (design section 5).
            throw error == .unknownKey && newer.isStale ? .keysUnavailable : .rejected(error)
        }
    }

    private func verify(
        _ token: [UInt8], _ audience: String, _ keys: VerificationKeySet
    ) throws(TokenRejection) -> AccessTokenClaims {
        try AccessTokenVerifier(
            issuer: issuer, audience: audience, leewaySeconds: leewaySeconds, keys: keys,
            forms: audience == self.audience ? forms : []
        ).verify(token, now: now())
    }
}

/// The reason why a request has no user.
enum AuthenticationFailure: Error, Equatable {
    case noToken
    case rejected(TokenRejection)
    /// The token is valid, but its subject is no user id of this deployment.
    case foreignSubject
    /// The token cannot be verified now. The response is 503, never 401.
    case keysUnavailable

    /// The reason in the log.
    var reason: String {
        switch self {
        case .noToken: "noToken"
        case .rejected(let rejection): rejection.rawValue
        case .foreignSubject: "foreignSubject"
        case .keysUnavailable: "keysUnavailable"
        }
    }
}

extension BearerAuthentication {
    init(policy: Policy, keys: TokenKeyCache<VerificationKeySet>, now: @escaping @Sendable () -> Int64) {
        self.init(
            issuer: policy.issuer, audience: policy.audience, leewaySeconds: policy.signing.leewaySeconds,
            userIDPrefix: policy.userIDPrefix, keys: keys, now: now, forms: Array(policy.tokenForms.values))
    }
}
