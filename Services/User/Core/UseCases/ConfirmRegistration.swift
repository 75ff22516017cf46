import CryptoPrimitives
import InternalAPI
import Policies

/// Turns a registration into a user. This requires its link and its password, so that people do not confirm the registration of
/// someone else. A link that was mailed for this (uta) suffices if its email address leads to nothing but an empty account.
struct ConfirmRegistration: Sendable {
    let accounts: AccountParts

    /// - Throws: `GuessLimitsFailure`, `PasswordHasher.Busy`, `StorageError`; the link is not used then.
    func callAsFunction(_ request: AccountLinkRequest, requestID: String?) async throws -> AccountAnswer {
        let hash: [UInt8]
        switch try await accounts.presented(request, for: .confirm) {
        case .link(let found): hash = found
        case .refused(let answer): return answer
        }
        let call = accounts.tags.tag(
            AccountOperations.confirm.path, callID: request.callID, body: [Hex.encode(hash), request.password ?? ""])
        let facts = try await accounts.act.facts(.link(hash: hash), call)
        if let first = try await accounts.act.repeated(facts) { return first }
        guard let registration = Self.registration(facts) else { return AccountAnswer(.invalidLink) }
        if let password = request.password {
            let guess = accounts.guess(at: registration.address, from: request.address)
            let refusal = try await accounts.check(password, against: registration.passwordHash, guess, of: nil)
            if let refusal { return refusal }
        }
        let method = request.password == nil ? "link" : SignInMethod.password
        return try await accounts.act(.link(hash: hash), call) { facts, now in
            guard let registration = Self.registration(facts) else { return .refused(.invalidLink) }
            guard request.password != nil || Self.linkSuffices(facts) else { return .refused(.wrongPassword) }
            if let claimant = facts.claimant, claimant.isDeactivated { return .refused(.accountInactive) }
            let newcomer = Newcomer(id: registration.id, pseudonym: .new(), name: registration.name)
            let password = StoredPassword(hash: registration.passwordHash, version: StoredPassword.newVersion())
            let (user, changes) = try accounts.owning(
                registration.address, by: newcomer, with: password, facts,
                RequestOrigin(requestID: requestID, method: method), now)
            guard request.signsIn == true else { return .done(changes) }
            let proof = try accounts.proof(
                call, of: registration.address, method: SignInMethod.email,
                password: VerifiedPassword(user: user.id, version: password.version, epoch: user.epoch), now: now)
            return Verdict(AccountReply(answer: AccountAnswer(.done, proof: proof), user: user.id), changes)
        }
    }

    /// The registration that the link confirms, while the email address has no holder.
    private static func registration(_ facts: UserFacts) -> Registration? {
        guard let link = facts.link, link.purpose == .confirm || link.purpose == .confirmByLink, facts.holder == nil
        else { return nil }
        return facts.registrations.first { $0.id == link.subject }
    }

    private static func linkSuffices(_ facts: UserFacts) -> Bool {
        facts.link?.purpose == .confirmByLink && facts.isAddressEmpty
    }
}
