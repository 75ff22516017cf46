import InternalAPI

/// Lifts a phone number's own lockout and limits on request of the operator or an administrator, and closes its open code. The limits of networks,
/// prefixes, countries and budgets stay.
struct UnlockNumber: Sendable {
    let rules: CodeRules
    let secrets: CodeSecrets
    let store: any ChallengeStore
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func callAsFunction(_ request: NumberRequest) async throws -> UnlockedNumber {
        guard let phone = rules.phone(request.phone, region: nil) else { throw InvalidInput(member: "phone") }
        return try await OperatorName.acting(request.administrator) {
            UnlockedNumber(wasLocked: try await store.unlock(secrets.tag(.phone(phone)), now: now()))
        }
    }
}
