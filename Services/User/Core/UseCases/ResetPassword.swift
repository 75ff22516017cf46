import CryptoPrimitives
import EmailAddresses
import InternalAPI
import Passwords
import Policies

/// Sets the password of a user or of an invited person who opened a mailed link.
///
/// The email address is verified, and all sessions of the user are revoked. A refused password does not use the link.
struct ResetPassword: Sendable {
    let accounts: AccountParts

    /// - Throws: `GuessLimitsFailure`, `PasswordHasher.Busy`, `StorageError`; the link is not used then.
    func callAsFunction(_ request: AccountLinkRequest, requestID: String?) async throws -> AccountAnswer {
        let hash: [UInt8]
        // An invitation's mail has no code.
        switch try await accounts.presented(request, for: .reset) {
        case .link(let found): hash = found
        case .refused(let answer): return answer
        }
        let call = accounts.tags.tag(
            AccountOperations.resetPassword.path, callID: request.callID,
            body: [Hex.encode(hash), request.password ?? ""])
        let facts = try await accounts.act.facts(.link(hash: hash), call)
        if let first = try await accounts.act.repeated(facts) { return first }
        guard let link = facts.link, Self.isGood(link, facts) else { return AccountAnswer(.invalidLink) }
        guard let password = accounts.newPassword(request.password ?? "", for: link.address) else {
            return AccountAnswer(.weakPassword)
        }
        let stored = try await accounts.hasher.hash(password).text
        // Guesses at the old password, and its known networks, are forgotten. This comes first, so that a repeat does it too.
        try await accounts.limits.clear(link.address, from: IPAddress(request.address), now: accounts.act.now())
        return try await set(stored, by: hash, call, requestID)
    }

    private func set(
        _ stored: String, by link: [UInt8], _ call: CallTag, _ requestID: String?
    ) async throws -> AccountAnswer {
        let origin = RequestOrigin(requestID: requestID, method: "link")
        return try await accounts.act(.link(hash: link), call) { facts, now in
            guard let link = facts.link, Self.isGood(link, facts) else { return .refused(.invalidLink) }
            let new = StoredPassword(hash: stored, version: StoredPassword.newVersion(), changedAt: now)
            guard let holder = facts.holder else {
                // The email address had no holder, and belongs to the person with the link now.
                let (user, changes) = try accounts.owning(
                    link.address, by: Newcomer(id: link.subject, pseudonym: .new()), with: new, facts, origin, now)
                let forgetting = try accounts.forgetting(user.id, email: link.address, networks: true, now)
                return .done(changes + [forgetting], endingSessionsOf: user.id)
            }
            let changes = try accounts.changing(holder, to: new, sparing: nil, .passwordReset, origin, now)
            return .done(changes, endingSessionsOf: holder.id)
        }
    }

    /// Whether the link can set a password now.
    static func isGood(_ link: AccountLink, _ facts: UserFacts) -> Bool {
        switch link.purpose {
        case .reset:
            facts.passwordSetter.map { $0.id == link.subject && $0.isActive } ?? false && !facts.isIdentityUnderReview
        case .invitation:
            facts.holder == nil && facts.invitation?.id == link.subject && facts.claimant?.isDeactivated != true
        case .confirm, .confirmByLink, .address, .notMe: false
        }
    }
}
