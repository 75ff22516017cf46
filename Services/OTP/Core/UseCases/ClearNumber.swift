import InternalAPI

/// Lets messages go again to a number that a provider reported as bad.
struct ClearNumber: Sendable {
    let rules: CodeRules
    let secrets: CodeSecrets
    let store: any ChallengeStore
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`.
    func callAsFunction(_ request: MailAddressRequest, noting note: NoteOperator) async throws -> ClearedAddress {
        guard let phone = rules.phone(request.to, region: nil) else { throw InvalidInput(member: "to") }
        let tag = secrets.tag(.phone(phone))
        try await note(.blockLifted, about: tag)
        return ClearedAddress(wasBarred: try await store.clear(tag, now: now()))
    }
}
