import InternalAPI

/// Whether the user of the bearer's session showed who they are a short time ago.
///
/// A change of what signs a user in requires it, so that a stolen session cannot take the account over.
struct RecentAuthentication: Sendable {
    let tokenService: ServiceClient
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// The age of the session's last proof.
    enum Standing: Sendable, Equatable {
        /// - factors: what the user showed then.
        case recent(AuthenticationFactors)
        /// The proof is older than the call allows: 403 `reauthentication_required`.
        case old
        /// The session is revoked: 401.
        case noSession
    }

    /// - Parameter seconds: the age from which the proof is old.
    /// - Throws: `ServiceUnavailable` if token-service does not respond.
    func callAsFunction(
        _ accessToken: String?, within seconds: Int64, requestID: String?
    ) async throws -> Standing {
        guard let session = try await session(accessToken, requestID: requestID) else { return .noSession }
        return now() - session.authenticatedAt < seconds ? .recent(session.latestFactors) : .old
    }

    /// Requires two factors of the session of a user whose role needs them.
    ///
    /// - Parameter rule: `nil` if the policy has no second factor.
    func requireFactors(
        of role: String, _ rule: SecondFactorRule?, _ accessToken: String?, requestID: String?
    ) async throws {
        guard rule?.roles.contains(role) == true else { return }
        guard let session = try await session(accessToken, requestID: requestID) else {
            throw AdministratorRefusal(.invalidToken)
        }
        guard session.factors.areMultiple else { throw AdministratorRefusal(.insufficientAuthentication) }
    }

    /// The authentication of a session; `nil` if the session is revoked.
    ///
    /// - Throws: `ServiceUnavailable` if token-service does not respond.
    func session(_ accessToken: String?, requestID: String?) async throws -> SessionAuthentication? {
        let outcome = try await tokenService.call(
            TokenOperations.ownAuthentication, accessToken: accessToken, requestID: requestID)
        guard case .answer(let session) = outcome else { return nil }
        return session
    }
}
