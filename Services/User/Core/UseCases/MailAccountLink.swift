import EmailAddresses
import InternalAPI

/// Mails a link to whoever owns an address: to confirm his registrations, or to set a password.
///
/// Every address has the same answer in the same time; one that is nobody's gets no mail.
struct MailAccountLink: Sendable {
    let accounts: AccountParts

    /// Renews the links of an address's open registrations.
    func resendConfirmation(_ request: AccountMailRequest) async throws -> AccountAnswer {
        try await mail(request, AccountOperations.resendConfirmation.path) { facts, now in
            facts.holder == nil ? try renewed(facts, request, now) : []
        }
    }

    /// Lets whoever has an account with the address set a password; an open registration's link is renewed.
    func forgotPassword(_ request: AccountMailRequest) async throws -> AccountAnswer {
        try await mail(request, AccountOperations.forgotPassword.path) { facts, now in
            guard let address = facts.address else { return [] }
            guard let user = facts.passwordSetter else { return try renewed(facts, request, now) }
            guard user.isActive else { return [] }
            return try accounts.notices.link(
                .reset, .passwordReset, of: user.id, to: address, locales: request.locales, now)
        }
    }

    /// - Throws: `GuessLimitsFailure`, `StorageError`; nothing is mailed then.
    private func mail(
        _ request: AccountMailRequest, _ path: String, _ mails: (AccountFacts, Int64) throws -> [AccountChange]
    ) async throws -> AccountAnswer {
        guard let address = accounts.address(request.email) else { return AccountAnswer(.invalidEmail) }
        let call = accounts.tags.tag(path, callID: request.callID, body: [address.text])
        if let first = try await accounts.act.repeated(try await accounts.act.facts(.address(address.text), call)) {
            return first
        }
        if case .limited(let seconds) = try await accounts.admitMail(to: address, from: request.address) {
            return AccountAnswer(.rateLimited, retryAfterSeconds: seconds)
        }
        return try await accounts.act(.address(address.text), call) { facts, now in .done(try mails(facts, now)) }
    }

    private func renewed(
        _ facts: AccountFacts, _ request: AccountMailRequest, _ now: Int64
    ) throws -> [AccountChange] {
        let byLink = request.linkSuffices == true && facts.isAddressEmpty
        return try facts.registrations.flatMap { registration in
            [.endLinks(of: registration.id)]
                + (try accounts.notices.confirmation(
                    of: registration, byLink: byLink, locales: request.locales, now))
        }
    }
}

extension AccountFacts {
    /// Who may set a password by a link to the address: its holder, or an account that has nothing but the address.
    var passwordSetter: User? { holder ?? claimant.flatMap { $0.isAlone ? $0.user : nil } }

    /// Whether whoever gets the address gets nothing else with it: neither a role nor what an account already has, so that a
    /// registration may be confirmed without its password.
    var isAddressEmpty: Bool { claimant == nil && invitation == nil }
}
