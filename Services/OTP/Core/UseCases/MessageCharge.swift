import InternalAPI
import PhoneNumbers
import Policies

/// Charges a message that is no code.
struct MessageCharge: Sendable {
    let rules: CodeRules
    let store: any ChallengeStore
    let secrets: CodeSecrets
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// Returns whether the budgets have room for a message, which is counted then.
    ///
    /// - Parameter isVouchedFor: whether the message may use the budgets' part for recognised clients.
    func callAsFunction(
        _ phone: PhoneNumber, _ channel: String, isVouchedFor: Bool = true
    ) async throws(ChallengeStoreFailure) -> Bool {
        guard let charge = rules.spend?.charge(for: phone, channel: channel, now: now()),
            let place = ChallengePlace(.signIn, in: rules.dialect)
        else { return true }
        let subject = CallSubject(
            recipient: secrets.tag(.phone(phone)), place: place, blockTag: [], isVouchedFor: isVouchedFor, windows: [],
            callTag: [], now: now())
        let send = SendAttempt(
            subject: subject, challenge: ChallengeSeed(created: now(), salt: []), proof: [], charge: charge)
        if case .limited = try await store.charge(send) { return false }
        return true
    }
}
