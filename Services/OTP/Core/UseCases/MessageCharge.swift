import InternalAPI
import PhoneNumbers
import Policies

/// Charges a message that is no code, from the budgets' part for recognised clients.
struct MessageCharge: Sendable {
    let rules: CodeRules
    let store: any ChallengeStore
    let secrets: CodeSecrets
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns whether the budgets have room for a message, which is counted then.
    func callAsFunction(
        _ phone: PhoneNumber, _ channel: String
    ) async throws(ChallengeStoreFailure) -> Bool {
        guard let charge = rules.spend?.charge(for: phone, channel: channel, now: now()),
            let place = ChallengePlace(.signIn, in: rules.dialect)
        else { return true }
        let subject = CallSubject(
            recipient: secrets.tag(.phone(phone)), place: place, blockTag: [], isVouchedFor: true, windows: [],
            callTag: [], now: now())
        let send = SendAttempt(
            subject: subject, challenge: ChallengeSeed(created: now(), salt: []), proof: [], charge: charge)
        if case .limited = try await store.charge(send) { return false }
        return true
    }
}
