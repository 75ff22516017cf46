import InternalAPI
import PhoneNumbers
import Policies

/// Admits a phone number that a provider's token has verified, unless a lockout or a limit of codes holds for it.
///
/// It counts like a right code, and the number is recognised at the client's network from then on. No code is needed, compared or
/// used: a review access and the codes of a provider play no part.
struct AdmitNumber: Sendable {
    let subjects: CallSubjects
    let store: any ChallengeStore
    var trace: TraceBook?
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    /// - Throws: `InvalidInput`; `ChallengeStoreFailure`, after which nothing is admitted.
    func callAsFunction(_ request: VerifiedNumber) async throws -> VerifiedNumberAnswer {
        guard let phone = subjects.rules.phone(request.phone, region: nil) else { throw InvalidInput(member: "phone") }
        let isVouchedFor = request.signedInPhone.flatMap { subjects.rules.phone($0, region: nil) } == phone
        let call = CallSubjects.Call(
            place: try subjects.place(of: .signIn, nil), address: request.address, isVouchedFor: isVouchedFor,
            callID: request.callID, asking: ["token"], now: now())
        let subject = try subjects.subject(ofGuess: call, at: .phone(phone))
        guard case .limited(let rule, let seconds) = try await store.admitVerified(subject) else {
            return VerifiedNumberAnswer()
        }
        OTPMetrics.limited(by: rule, route: OTPOperations.admitNumber.path)
        trace?.note(.refused(rule: rule, until: call.now + seconds), of: subject.recipient)
        return VerifiedNumberAnswer(limit: rule.kindOfGuess, retryAfterSeconds: seconds)
    }
}
