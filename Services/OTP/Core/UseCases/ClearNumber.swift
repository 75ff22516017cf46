import InternalAPI

/// Lets messages go to a number again that a provider called bad.
struct ClearNumber: Sendable {
    let terms: CallTerms
    let store: any ChallengeStore
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidCall`; `ChallengeStoreFailure`.
    func callAsFunction(_ request: MailAddressRequest) async throws -> ClearedAddress {
        guard let phone = terms.rules.phone(request.to, region: nil) else { throw InvalidCall(member: "to") }
        return ClearedAddress(wasBarred: try await store.clear(terms.secrets.tag(.phone(phone)), now: now()))
    }
}
