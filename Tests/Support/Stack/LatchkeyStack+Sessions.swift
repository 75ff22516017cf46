internal import CryptoPrimitives
internal import FoundationEssentials
package import InternalAPI

extension LatchkeyStack {
    /// A user id that nobody has.
    package static func freshUser() -> String { "usr_" + Hex.encode(SecureRandom.bytes(16)) }

    /// Opens a session as user-service would have it opened, without a code: for tests that need many.
    package func openSession(
        of user: String = freshUser(), epoch: Int64 = 1, version: Int64 = 1
    ) async throws -> TokenSet {
        let grant = Grant(
            id: UUID().uuidString, userID: user, epoch: epoch,
            claims: UserClaims(phone: nil, role: "user", version: version), method: "sms", isNewUser: false,
            expiresAt: Int64(Date().timeIntervalSince1970) + 60)
        let request = IssueRequest(grant: try grant.sealed(with: try keyRing("grant_user_token")), dialect: "native")
        let answer = try await ServiceCaller(stack: self).post("token", TokenContract.issuePath, request)
        guard answer.status == 200 else { throw UnexpectedAnswer(to: "POST \(TokenContract.issuePath)", answer) }
        return try answer.decoded()
    }
}
