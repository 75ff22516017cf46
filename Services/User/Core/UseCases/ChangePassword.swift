import InternalAPI
import Passwords
import Policies

/// Changes the password of a signed-in user who knows the old one.
struct ChangePassword: Sendable {
    let accounts: AccountParts

    typealias Outcome = OperationOutcome<AccountAnswer, BearerBodyRefusal>

    /// - Throws: `GuessLimitsFailure`, `PasswordHasher.Busy`, `StorageError`; the old password stays valid then.
    func callAsFunction(
        _ caller: SignedInUser, _ request: ChangePasswordRequest, requestID: String?
    ) async throws -> Outcome {
        let call = accounts.tags.tag(
            AccountOperations.changePassword.path, callID: request.callID, caller: caller.id,
            body: [request.oldPassword, request.newPassword])
        let facts = try await accounts.act.facts(of: caller, call)
        guard let user = facts.holder, user.deletion == nil else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        if let first = try await accounts.act.repeated(facts) { return .answer(first) }
        return .answer(try await change(caller, request, facts, call, requestID))
    }

    private func change(
        _ caller: SignedInUser, _ request: ChangePasswordRequest, _ facts: UserFacts, _ call: CallTag,
        _ requestID: String?
    ) async throws -> AccountAnswer {
        guard let address = facts.address, let old = facts.password else { return AccountAnswer(.noPassword) }
        guard let password = accounts.newPassword(request.newPassword, for: address) else {
            return AccountAnswer(.weakPassword)
        }
        let guess = accounts.guess(at: address, from: request.address, isBearer: true)
        let refusal = try await accounts.check(request.oldPassword, against: old.hash, guess, of: facts.holder)
        if let refusal { return refusal }
        let hash = try await accounts.hasher.hash(password).text
        let origin = RequestOrigin(requestID: requestID, sessionID: caller.sessionID)
        return try await accounts.act(.account(caller.id), call) { facts, now in
            guard let user = facts.holder, user.isActive, user.deletion == nil,
                facts.password?.version == old.version
            else { return .refused(.wrongPassword) }
            let new = StoredPassword(hash: hash, version: StoredPassword.newVersion(), changedAt: now)
            let spared = accounts.change.ends == .others ? caller.sessionID : nil
            return .done(
                try accounts.changing(user, to: new, sparing: spared, .passwordChanged, origin, now),
                endingSessionsOf: user.id)
        }
    }
}
