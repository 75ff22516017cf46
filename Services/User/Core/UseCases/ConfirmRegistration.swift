import InternalAPI

/// Makes a registration a user: at the word of its link and of its password, so that nobody confirms a stranger's.
struct ConfirmRegistration: Sendable {
    let accounts: AccountParts

    /// - Throws: `GuessLimitsFailure`, `PasswordHasher.Busy`, `StorageError`; the link is not spent then.
    func callAsFunction(_ request: AccountLinkRequest, requestID: String?) async throws -> AccountAnswer {
        guard let secret = LinkSecret(request.token) else { return AccountAnswer(.invalidLink) }
        let call = accounts.tags.tag(
            AccountOperations.confirm.path, callID: request.callID, body: [secret.text, request.password])
        let facts = try await accounts.act.facts(.link(hash: secret.hash), call)
        if let first = try await accounts.act.repeated(facts) { return first }
        guard let registration = Self.registration(facts) else { return AccountAnswer(.invalidLink) }
        let guess = accounts.guess(at: registration.address, from: request.address)
        switch try await accounts.check(request.password, against: registration.passwordHash, guess) {
        case .limited(let seconds): return AccountAnswer(.rateLimited, retryAfterSeconds: seconds)
        case .wrong: return AccountAnswer(.wrongPassword)
        case .right: break
        }
        return try await accounts.act(.link(hash: secret.hash), call) { facts, now in
            guard let registration = Self.registration(facts) else { return .refused(.invalidLink) }
            let (_, changes) = try accounts.owner.become(
                newcomer(registration), at: registration.address,
                with: StoredPassword(hash: registration.passwordHash, version: StoredPassword.newVersion()), facts,
                RequestOrigin(requestID: requestID, method: PasswordProof.method), now: now)
            return .done(changes)
        }
    }

    /// The one that the link confirms, while the address is nobody's.
    private static func registration(_ facts: AccountFacts) -> Registration? {
        guard let link = facts.link, link.purpose == .confirm, facts.holder == nil else { return nil }
        return facts.registrations.first { $0.id == link.subject }
    }

    private func newcomer(_ registration: Registration) -> AddressOwner.Newcomer {
        AddressOwner.Newcomer(id: registration.id, pseudonym: .new(), name: registration.name)
    }
}
