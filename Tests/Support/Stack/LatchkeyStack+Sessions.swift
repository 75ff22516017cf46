import CryptoPrimitives
import FoundationEssentials
package import InternalAPI

extension LatchkeyStack {
    /// Returns a new user id.
    package static func freshUser() -> String { "usr_" + Hex.encode(SecureRandom.bytes(16)) }

    /// A grant as user-service would give it.
    package func grant(of user: String, epoch: Int64 = 1, version: Int64 = 1) throws -> String {
        let grant = Grant(
            id: UUID().uuidString, userID: user, epoch: epoch,
            claims: UserClaims(phone: nil, role: "user", version: version), method: "sms", isNewUser: false,
            expiresAt: Int64(Date().timeIntervalSince1970) + 60)
        return try grant.sealed(with: try keyRing("grant_user_token"))
    }

    /// Opens a session as user-service would have it opened, without a code: for tests that need many.
    ///
    /// - Parameters:
    ///   - isPage: whether it is a web page's, with a secret for its cookies.
    ///   - service: leads to token-service; nil: the stack's own.
    package func openSession(
        of user: String = freshUser(), epoch: Int64 = 1, version: Int64 = 1, isPage: Bool = false,
        at service: TestHTTPClient? = nil
    ) async throws -> TokenSet {
        let request = IssueRequest(
            grant: try grant(of: user, epoch: epoch, version: version), dialect: "native", isPage: isPage ? true : nil)
        let answer = try await ServiceCaller(stack: self, client: service)
            .post("token", TokenOperations.issue.path, request)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST \(TokenOperations.issue.path)", answer) }
        return try answer.decoded()
    }

    /// Returns an attestation as otp-service would give it, without a code.
    ///
    /// - Parameter user: the user who would have requested the code, if the purpose is bound to one.
    package func attestation(
        _ purpose: Purpose = .signIn, of identity: VerifiedIdentity, for user: String? = nil
    ) throws -> String {
        let now = Int64(Date().timeIntervalSince1970)
        let attestation = Attestation(
            proofID: UUID().uuidString, method: identity.kind == .phone ? "sms" : "email", identity: identity,
            purpose: purpose, userID: user, expiresAt: now + 60, challengedAt: now)
        return try attestation.sealed(with: try keyRing("attestation_otp_user"))
    }
}
