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
        guard let user = facts.holder else { return .unknown }
        guard user.isActive else { return .inactive }
        guard let address = facts.address, let password = facts.password else {
            return .answer(AccountAnswer(.noPassword))
        }
        let guess = accounts.guess(at: address, from: request.address, isBearer: true)
        let check = try await accounts.check(request.password, against: password.hash, guess, of: user)
        if let refusal = check.refusal() { return .answer(refusal) }
        return switch try await delete(caller, requestID: requestID) {
        case .scheduled: .answer(AccountAnswer(.done))
        case .unconfirmed: .answer(AccountAnswer(.changePending))
        case .unknown: .unknown
        }
    }
}
