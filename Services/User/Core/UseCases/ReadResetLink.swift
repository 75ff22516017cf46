import InternalAPI

/// Reads the email address that a reset link was mailed to, for the page that sets the password. The link stays valid.
///
/// Only a client with the link's token, which may set the account's password, gets the email address.
struct ReadResetLink: Sendable {
    let accounts: AccountParts

    func callAsFunction(_ request: ResetLinkRequest) async throws -> ResetLinkAnswer {
        guard let secret = LinkSecret(request.token) else { return ResetLinkAnswer(email: nil) }
        let facts = try await accounts.act.facts(.link(hash: secret.hash), nil)
        return ResetLinkAnswer(email: facts.link.flatMap { ResetPassword.isGood($0, facts) ? $0.address : nil })
    }
}
