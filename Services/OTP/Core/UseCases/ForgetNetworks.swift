import InternalAPI
import PhoneNumbers

/// Forgets from where the holder of a number has signed in, when his account is removed.
///
/// What counts against guesses and messages stays: otherwise a deletion would refill it.
struct ForgetNetworks: Sendable {
    let secrets: CodeSecrets
    let store: any ChallengeStore
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidCall`; `ChallengeStoreFailure`, after which it may be done or not: a repeat is harmless.
    func callAsFunction(_ request: ForgetNetworksRequest) async throws {
        let phone: PhoneNumber
        do throws(PhoneNumberProblem) {
            phone = try PhoneNumber(parsing: request.phone, region: nil)
        } catch {
            throw InvalidCall(member: "phone")
        }
        try await store.forgetNetworks(of: secrets.tag(phone: phone.handset), until: request.until, now: now())
    }
}
