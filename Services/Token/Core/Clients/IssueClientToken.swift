import CryptoPrimitives
import InternalAPI
import Policies

/// Signs the token for which user-service has sealed a grant to a client.
///
/// Nothing is stored: a grant that is used twice gives a second token with the end of the first. The token is signed as those of the
/// native API are, which every verifier of the deployment accepts.
struct IssueClientToken: Sendable {
    typealias Outcome = OperationOutcome<ClientAccessToken, IssueRefusal>

    let policy: Policy
    /// `grant_user_token`.
    let grantKeys: KeyRing
    let mint: AccessTokenMint
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    func callAsFunction(_ request: ClientTokenIssueRequest) async throws -> Outcome {
        let now = now()
        let grant: ClientGrant
        do { grant = try ClientGrant.open(request.grant, with: grantKeys, now: now) } catch {
            return .refused(.grantRefused)
        }
        // The clock of user-service may be ahead of ours.
        let expiresAt = min(grant.tokenExpiresAt, now + ClientLifetimes.tokenSeconds)
        guard SessionID(text: grant.sid) != nil, expiresAt > now,
            let profile = policy.profile(forDialect: Dialect.native) ?? policy.profiles.first
        else { return .refused(.grantRefused) }
        return .answer(
            ClientAccessToken(
                accessToken: try await mint.mint(grant, profile: profile, expiresAt: expiresAt, now: now),
                expiresIn: expiresAt - now))
    }
}

/// Refuses all tokens of a client everywhere, as a sign-out does those of a session. Safe to repeat.
struct RevokeClient: Sendable {
    let store: any RevocationStore
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns once the revocation is durable here and known to Redis.
    func callAsFunction(_ request: RevokeClientRequest) async throws {
        guard let id = SessionID(text: request.sid) else { throw InvalidInput(member: "sid") }
        // A grant that was sealed a moment ago may still become a token.
        let last = now() + ClientLifetimes.grantSeconds + ClientLifetimes.tokenSeconds
        let revocation = Revocation(sessionID: id, reason: .admin, accessExpiresAt: last)
        try await store.add(revocation)
        try await publisher.publish([revocation])
    }
}
