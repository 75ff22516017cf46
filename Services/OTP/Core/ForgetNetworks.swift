internal import InternalAPI
internal import PhoneNumbers

/// Forgets from where the holder of a number has signed in, when his account is removed.
///
/// What counts against guesses and messages stays: otherwise a deletion would refill it.
struct ForgetNetworks: Sendable {
    let terms: CallTerms
    let store: any ChallengeStore
    /// Unix time in seconds.
    let clock: @Sendable () -> Int64

    /// - Throws: `InvalidCall`; `ChallengeStoreFailure`, after which it may be done or not: a repeat is harmless.
    func callAsFunction(_ request: ForgetNetworksRequest) async throws {
        guard let phone = terms.rules.phone(request.phone, region: nil) else { throw InvalidCall(member: "phone") }
        try await store.forgetNetworks(of: terms.secrets.tag(phone: phone.e164), until: request.until, now: clock())
    }
}
