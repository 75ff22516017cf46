import CryptoPrimitives
import InternalAPI

/// Issues grants, each for one session of a user and sealed for token-service (design section 4, step 2).
struct SessionGrants: Sendable {
    static let lifetimeSeconds: Int64 = 60

    let userIDPrefix: String
    let attributes: AttributeRules
    let keys: KeyRing

    /// Creates the response of `resolve`. The grant's id derives from the proof's id.
    ///
    /// - Parameters:
    ///   - accessEndsAt: when the session ends at the latest, in Unix seconds; `nil` if only the policy decides.
    ///   - factors: what the person has shown; `nil` if `method` states all of it.
    ///   - now: Unix time in seconds.
    func answer(
        _ user: User, _ resolution: Resolution, proofID: String, method: String, accessEndsAt: Int64? = nil,
        factors: AuthenticationFactors? = nil, isNewDevice: Bool = false, now: Int64
    ) throws -> ResolveAnswer {
        let grant = Grant(
            id: GrantID.derived(fromProof: proofID), userID: user.id.text(prefix: userIDPrefix), epoch: user.epoch,
            claims: try user.claims(attributes), method: method, isNewUser: resolution.isNewUser,
            expiresAt: now + Self.lifetimeSeconds, accessEndsAt: accessEndsAt, factors: factors)
        return ResolveAnswer(
            grant: try grant.sealed(with: keys), isNewUser: resolution.isNewUser, restored: resolution.restored,
            user: user.details(idPrefix: userIDPrefix, attributes: attributes),
            isNewDevice: isNewDevice ? true : nil)
    }
}
