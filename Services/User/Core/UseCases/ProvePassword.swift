import EmailAddresses
import InternalAPI
import Passwords
import Policies

/// Turns a right password into a proof that `resolve` takes, and into a grant at once where there is nothing more to decide.
///
/// An unknown address, one that is not confirmed or has no password, and a wrong password are one answer in one time.
struct ProvePassword: Sendable {
    let accounts: AccountParts
    let grants: SessionGrants
    let times: SignInTimes

    /// - Throws: `GuessLimitsFailure`, `PasswordHasher.Busy`, `StorageError`; nothing is proved then.
    func callAsFunction(_ request: PasswordProofRequest) async throws -> AccountAnswer {
        // No address: nobody's, at no cost.
        guard let address = accounts.address(request.email)?.text else { return AccountAnswer(.invalidCredentials) }
        let call = request.callID.map {
            accounts.tags.tag(AccountOperations.prove.path, callID: $0, body: [address, request.password])
        }
        let facts = try await accounts.act.facts(.address(address), call)
        if let first = try await accounts.act.repeated(facts) { return first }
        let guess = accounts.guess(at: address, from: request.address)
        let check = try await accounts.check(request.password, against: facts.password?.hash, guess, of: facts.holder)
        if let refusal = check.refusal(ofWrong: .invalidCredentials) { return refusal }
        return try await prove(request, address, facts, call)
    }

    /// - Parameter read: what the password was checked by.
    private func prove(
        _ request: PasswordProofRequest, _ address: String, _ read: UserFacts, _ call: CallTag?
    ) async throws -> AccountAnswer {
        let checked = read.password
        let renewed = try await rehashed(request.password, checked)
        let answer = try await accounts.act(
            .address(address), call, by: read, keptSeconds: PasswordProof.lifetimeSeconds
        ) { facts, now in
            // Only what was checked counts: a change that came between is another password.
            guard let holder = facts.holder, let password = facts.password, password.version == checked?.version
            else { return .refused(.invalidCredentials) }
            guard holder.isActive else { return .refused(.accountInactive) }
            let proof = PasswordProof(
                call, address: address, user: holder, passwordVersion: password.version, now: now)
            // Only over the hash that was checked.
            let upgrade = password.hash == checked?.hash ? renewed : nil
            let answer = AccountAnswer(
                .proved, proof: try proof.sealed(with: accounts.proofKeys), resolved: try resolved(proof, holder, now))
            return Verdict(
                AccountReply(answer: answer, user: holder.id),
                upgrade.map { [.setPassword($0, of: holder.id)] } ?? [])
        }
        if answer.resolved != nil { times.note(.email(address), at: accounts.act.now()) }
        return answer
    }

    /// What `resolve` would answer; nil while the account waits for its removal, of which it decides. Should the user's epoch or
    /// rights have changed meanwhile, token-service refuses the grant, and the gateway has the proof resolved.
    private func resolved(_ proof: PasswordProof, _ holder: User, _ now: Int64) throws -> ResolveAnswer? {
        guard holder.deletion == nil else { return nil }
        let resolution = Resolution(userID: holder.id, isNewUser: false, restored: false)
        return try grants.answer(
            holder, resolution, proofID: proof.proofID, method: PasswordProof.method, now: now)
    }

    /// The checked password with a hash of ours at today's cost; `nil` if its hash is one already, or while hashing is busy.
    private func rehashed(_ typed: String, _ checked: StoredPassword?) async throws -> StoredPassword? {
        guard let checked, let hash = StoredHash(checked.hash), let password = PasswordText(typed),
            hash.isReplaced(by: password, at: accounts.hasher.cost)
        else { return nil }
        do {
            let renewed = try await accounts.hasher.hash(password).text
            return StoredPassword(hash: renewed, version: checked.version)
        } catch is PasswordHasher.Busy {
            // The next login does it.
            return nil
        }
    }
}
