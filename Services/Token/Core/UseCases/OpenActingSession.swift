import CryptoPrimitives
import InternalAPI
import Policies

/// Opens the session in which one user acts as another, and signs its only token.
///
/// The session is the user's: they see it, and whatever ends their sessions ends it. It has no refresh token, and displaces none of
/// their own. It replaces the one in which the same person acts as the user already.
struct OpenActingSession: Sendable {
    typealias Outcome = OperationOutcome<ActingToken, IssueRefusal>

    static let method = "acting"
    private static let grantIDByteCount = 16

    let policy: Policy
    let claims: ClaimsSeal
    let store: any SessionStore
    let mint: AccessTokenMint
    let publisher: RevocationPublisher
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: the store's errors, in which case no session was opened; or those of Redis if it does not learn of the replaced
    ///   session. The opened one then ends without a use.
    func callAsFunction(_ request: ActRequest) async throws -> Outcome {
        let now = now()
        guard let profile = policy.profile(forDialect: Dialect.native) ?? policy.profiles.first,
            let actorSession = SessionID(text: request.actorSessionID)
        else { return .refused(.grantRefused) }
        let session = try session(request, dialect: Dialect.native, locator: try await store.reserveLocator(), now)
        let opening = SessionOpening(
            grantID: Hex.encode(SecureRandom.bytes(Self.grantIDByteCount)), grantExpiresAt: now,
            version: request.claims.version, session: session, sessionsMax: .max,
            actor: .init(userID: request.actorID, sessionID: actorSession, version: request.actorVersion))
        guard case .opened(let replaced) = try await store.open(opening, now: now) else {
            return .refused(.grantStale)
        }
        try await publisher.publish(replaced)
        RevocationReason.replaced.count(replaced)
        let token = try await mint.mint(
            session, claims: request.claims, profile: profile, expiresAt: session.accessExpiresAt, now: now)
        return .answer(ActingToken(accessToken: token, expiresIn: KeyRule.actingSeconds))
    }

    /// - Parameter locator: the number reserved for the session.
    private func session(
        _ request: ActRequest, dialect: String, locator: Int64, _ now: Int64
    ) throws -> SessionRecord {
        let (id, end) = (SessionID.new(at: now), now + KeyRule.actingSeconds)
        return SessionRecord(
            locator: locator, id: id, userID: request.userID, epoch: request.epoch, dialect: dialect,
            // No token has this hash.
            method: Self.method, currentHash: SecureRandom.bytes(SHA256.byteCount),
            salt: [UInt8](repeating: 0, count: RotationRule.saltByteCount), createdAt: now, lastUsedAt: now,
            idleExpiresAt: end, absoluteExpiresAt: end, accessExpiresAt: end, device: nil, network: nil,
            actorID: request.actorID, sealedClaims: try claims.seal(request.claims, for: id))
    }
}
