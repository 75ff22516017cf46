import InternalAPI

/// Schedules an account for deletion after checking its password.
struct DeleteByPassword: Sendable {
    let accounts: AccountParts
    let delete: DeleteAccount

    /// - Throws: `GuessLimitsFailure`, `PasswordHasher.Busy`, `StorageError`.
    func callAsFunction(
        _ caller: SignedInUser, _ request: DeleteByPasswordRequest, requestID: String?
    ) async throws -> ChangePassword.Outcome {
        let facts = try await accounts.act.facts(of: caller, nil)
        guard let user = facts.holder else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        guard let address = facts.address, let password = facts.password else {
            return .answer(AccountAnswer(.noPassword))
        }
        let guess = accounts.guess(at: address, from: request.address, isBearer: true)
        let refusal = try await accounts.check(request.password, against: password.hash, guess, of: user)
        if let refusal { return .answer(refusal) }
        do {
            return try await delete(caller, requestID: requestID) == nil
                ? .refused(.invalidToken) : .answer(AccountAnswer(.done))
        } catch let refused as AdministratorRefusal where refused.code == .lastAdministrator {
            return .answer(AccountAnswer(.lastAdministrator))
        } catch is Unconfirmed {
            return .answer(AccountAnswer(.changePending))
        }
    }
}
