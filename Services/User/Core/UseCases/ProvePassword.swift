import EmailAddresses
import InternalAPI
import Passwords
import Policies
import Storage

/// Turns a right password into a proof that `resolve` accepts, and also into a grant if there is nothing more to decide.
///
/// The response, and its time, are the same for a wrong password and for an email address that is unknown, that is not
/// confirmed or that has no password.
struct ProvePassword: Sendable {
    let accounts: AccountParts
    let grants: SessionGrants
    let times: SignInTimes
    /// `nil` if the policy has `anomalies: off`.
    var watch: SignInWatch?
    /// `nil` if the policy has no second factor.
    var secondFactor: SecondFactorRule?

    /// - Throws: `GuessLimitsFailure`, `PasswordHasher.Busy`, `StorageError`; there is no proof then.
    func callAsFunction(_ request: PasswordProofRequest) async throws -> AccountAnswer {
        // An invalid email address has no account, which needs no hashing to know.
        guard let address = accounts.address(request.email)?.text else { return AccountAnswer(.invalidCredentials) }
        let call = request.callID.map {
            accounts.tags.tag(AccountOperations.prove.path, callID: $0, body: [address, request.password])
        }
        let facts = try await accounts.act.facts(.address(address), call)
        if let first = try await accounts.act.repeated(facts) { return first }
        let guess = accounts.guess(at: address, from: request.address)
        let refusal = try await accounts.check(
            request.password, against: facts.password?.hash, guess, of: facts.holder, wrong: .invalidCredentials)
        if let refusal { return refusal }
        return try await prove(request, address, facts, call)
    }

    /// - Parameter read: the facts that the password was checked against.
    private func prove(
        _ request: PasswordProofRequest, _ address: String, _ read: UserFacts, _ call: CallTag?
    ) async throws -> AccountAnswer {
        let checked = read.password
        let renewed = try await rehashed(request.password, checked)
        let question = UserQuestion(
            .address(address), call: call, askedAt: accounts.act.now(), readsOrigins: watch != nil,
            readsSecondFactor: secondFactor != nil)
        let answer = try await accounts.act([question], keptSeconds: OwnProof.lifetimeSeconds) { facts, now in
            guard let facts = facts.first else { throw StorageError(.other, "no facts") }
            // Only the checked password counts, so a change in the meantime makes it wrong.
            guard let holder = facts.holder, let password = facts.password, password.version == checked?.version
            else { return .refused(.invalidCredentials) }
            guard holder.isActive else { return .refused(.accountInactive) }
            let proof = OwnProof(
                call, address: address, user: holder, passwordVersion: password.version, now: now)
            // The new hash replaces only the hash that was checked.
            let upgrade = password.hash == checked?.hash ? renewed : nil
            let watched = try resolved(proof, facts, holder, request.origin, now)
            let answer = AccountAnswer(
                .proved, proof: try proof.sealed(with: accounts.proofKeys), resolved: watched.outcome)
            return Verdict(
                AccountReply(answer: answer, user: holder.id),
                (upgrade.map { [.setPassword($0, of: holder.id)] } ?? []) + watched.changes)
        }
        if answer.resolved != nil { times.note(.email(address), at: accounts.act.now()) }
        if answer.resolved?.isNewDevice == true { SignInWatch.count(.signIn) }
        return answer
    }

    /// The response that `resolve` would give, or `nil` if the account is scheduled for deletion, under review or needs a second
    /// factor, which `resolve` decides on. If the user's epoch or rights change meanwhile, token-service refuses the grant, and the gateway has the proof
    /// resolved.
    private func resolved(
        _ proof: OwnProof, _ facts: UserFacts, _ holder: User, _ client: SignInOrigin?, _ now: Int64
    ) throws -> Verdict<ResolveAnswer?> {
        guard holder.deletion == nil, !facts.isPasswordUnderReview, !facts.isIdentityUnderReview,
            secondFactor?.isDue(holder, facts.secondFactor, proof.proof, now: now) != true
        else { return Verdict(nil) }
        let origin = RequestOrigin(method: proof.method)
        let watched = try watch?.signIn(holder, from: client, facts, origin, now)
        let resolution = Resolution(userID: holder.id, isNewUser: false, restored: false)
        return Verdict(
            try grants.answer(
                holder, resolution, proofID: proof.proof.id, method: proof.method,
                isNewDevice: watched?.outcome ?? false, now: now),
            watched?.changes ?? [])
    }

    /// The checked password with a hash of user-service's own form and current cost, or `nil` if it has one already or hashing
    /// is busy.
    private func rehashed(_ typed: String, _ checked: StoredPassword?) async throws -> StoredPassword? {
        guard let checked, let hash = StoredHash(checked.hash), let password = PasswordText(typed),
            hash.isReplaced(by: password, at: accounts.hasher.cost)
        else { return nil }
        do {
            let renewed = try await accounts.hasher.hash(password).text
            return StoredPassword(hash: renewed, version: checked.version)
        } catch is PasswordHasher.Busy {
            // The next sign-in replaces the hash.
            return nil
        }
    }
}
