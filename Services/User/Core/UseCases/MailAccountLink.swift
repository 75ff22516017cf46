import EmailAddresses
import InternalAPI

/// Mails a link to whoever owns an address: to confirm his registrations, or to set a password.
///
/// Every address has the same answer in the same time; one that is nobody's gets no mail.
struct MailAccountLink: Sendable {
    let accounts: AccountParts

    private enum Mail {
        case confirmation(of: Registration)
        case reset(of: User)
    }

    /// Renews the links of an address's open registrations.
    func resendConfirmation(_ request: AccountMailRequest) async throws -> AccountAnswer {
        try await mail(request, AccountOperations.resendConfirmation.path) { facts in
            facts.holder == nil ? facts.registrations.map { .confirmation(of: $0) } : []
        }
    }

    /// Lets whoever has an account with the address set a password; an open registration's link is renewed.
    func forgotPassword(_ request: AccountMailRequest) async throws -> AccountAnswer {
        try await mail(request, AccountOperations.forgotPassword.path) { facts in
            guard let user = facts.passwordSetter else { return facts.registrations.map { .confirmation(of: $0) } }
            return user.isActive ? [.reset(of: user)] : []
        }
    }

    /// - Parameter due: what is to be mailed; as much of it goes out as the limits admit.
    /// - Throws: `GuessLimitsFailure`, `StorageError`; nothing is mailed then.
    private func mail(
        _ request: AccountMailRequest, _ path: String, _ due: (AccountFacts) -> [Mail]
    ) async throws -> AccountAnswer {
        guard let address = accounts.address(request.email) else { return AccountAnswer(.invalidEmail) }
        let call = accounts.tags.tag(path, callID: request.callID, body: [address.text])
        let facts = try await accounts.act.facts(.address(address.text), call)
        if let first = try await accounts.act.repeated(facts) { return first }
        switch try await accounts.admitMails(due(facts).count, to: address, from: request.address) {
        case .limited(let seconds): return AccountAnswer(.rateLimited, retryAfterSeconds: seconds)
        case .admitted(let count):
            return try await accounts.act(.address(address.text), call) { facts, now in
                // The oldest first: who registers with an address after its owner keeps no mail from him.
                .done(try due(facts).prefix(count).flatMap { try written($0, to: address, facts, request, now) })
            }
        }
    }

    private func written(
        _ mail: Mail, to address: EmailAddress, _ facts: AccountFacts, _ request: AccountMailRequest, _ now: Int64
    ) throws -> [AccountChange] {
        switch mail {
        case .confirmation(let registration):
            let byLink = request.linkSuffices == true && facts.isAddressEmpty
            return [.endLinks(of: registration.id)]
                + (try accounts.notices.confirmation(
                    of: registration, byLink: byLink, locales: request.locales, now))
        case .reset(let user):
            return try accounts.notices.link(
                .reset, .passwordReset, of: user.id, to: address.text, locales: request.locales, now)
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
