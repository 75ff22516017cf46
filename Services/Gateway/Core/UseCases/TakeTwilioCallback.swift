import InternalAPI

/// Passes Twilio's callback to otp-service, which checks whether it is one.
struct TakeTwilioCallback: Sendable {
    let otp: ServiceClient

    func callAsFunction(_ callback: TwilioCallback, _ call: ClientCall) async throws(Refusal) {
        guard case .answer(let answer) = try await otp.ask(OTPOperations.twilioCallback, callback, for: call) else {
            throw .forgedCallback
        }
        switch answer.result {
        case .noted: return
        case .forged: throw .forgedCallback
        case .malformed: throw .invalid(member: "MessageStatus")
        case .off: throw .notFound
        }
    }
}
