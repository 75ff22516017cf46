import InternalAPI

/// Passes a mail provider's webhook to otp-service, which checks whether it is one.
struct TakeMailWebhook: Sendable {
    let otp: ServiceClient

    func callAsFunction(_ webhook: MailWebhook, _ call: ClientCall) async throws(Refusal) {
        guard case .answer(let answer) = try await otp.ask(OTPOperations.resendWebhook, webhook, for: call) else {
            throw .forgedWebhook
        }
        switch answer.result {
        case .noted: return
        case .forged: throw .forgedWebhook
        case .off: throw .notFound
        }
    }
}
