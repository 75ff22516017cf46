import EmailAddresses
import InternalAPI

/// Mails a link to the owner of an email address: to confirm their registrations, or to set a password.
///
/// Every email address has the same response in the same time, also if its quota of mails is used up. An email address without
/// an account gets no mail, but the request counts as if it did.
struct MailAccountLink: Sendable {
    let accounts: AccountParts

    /// Replaces the links of the open registrations with an email address.
    func resendConfirmation(_ request: AccountMailRequest) async throws -> AccountAnswer {
        try await mail(request, .resend, AccountOperations.resendConfirmation.path) { facts, asker, now in
            facts.holder == nil ? try renewed(facts, request, asker, now) : []
        }
    }

    /// Mails the owner of the account a link that sets a password. If there is only an open registration, its link is replaced.
    func forgotPassword(_ request: AccountMailRequest) async throws -> AccountAnswer {
        try await mail(request, .reset, AccountOperations.forgotPassword.path) { facts, asker, now in
            guard let address = facts.address else { return [] }
            guard let user = facts.passwordSetter else { return try renewed(facts, request, asker, now) }
            guard user.isActive else { return [] }
            return try accounts.notices.link(
                .reset, .passwordReset, of: user.id, to: address, codedBy: accounts.tags, back: request.back,
                locales: request.locales, for: asker, now)
        }
    }

    /// - Throws: `GuessLimitsFailure`, `StorageError`; nothing is mailed then.
    private func mail(
        _ request: AccountMailRequest, _ purpose: AccountMail.Purpose, _ path: String,
        _ mails: @escaping @Sendable (UserFacts, OutboxPlace.Asker, Int64) throws -> [UserChange]
    ) async throws -> AccountAnswer {
        guard let address = accounts.address(request.email) else { return AccountAnswer(.invalidEmail) }
        let call = accounts.tags.tag(path, callID: request.callID, body: [address.text])
        if let first = try await accounts.act.repeated(try await accounts.act.facts(.address(address.text), call)) {
            return first
        }
        return try await accounts.mailing(purpose, to: address, from: request.address, call) { asker in
            try await accounts.act(.address(address.text), call) { facts, now in
                .done(try asker.map { try mails(facts, $0, now) } ?? [])
            }
        }
    }

    private func renewed(
        _ facts: UserFacts, _ request: AccountMailRequest, _ asker: OutboxPlace.Asker, _ now: Int64
    ) throws -> [UserChange] {
        let byLink = request.linkSuffices == true && facts.isAddressEmpty
        return try facts.registrations.flatMap { registration in
            [.endLinks(of: registration.id)]
                + (try accounts.notices.confirmation(
                    of: registration, byLink: byLink, codedBy: accounts.tags, back: request.back,
                    locales: request.locales, for: asker, now))
        }
    }
}
