import InternalAPI

/// Passes messages of providers to the service that checks whether they are theirs.
struct TakeCallback: Sendable {
    let otp: ServiceClient
    let user: ServiceClient

    /// Passes on a mail provider's webhook.
    func mail(_ webhook: MailWebhook, _ call: ClientCall) async throws(Refusal) {
        try await otp.settle(OTPOperations.resendWebhook, webhook, for: call, refusedAs: .forgedWebhook)
    }

    /// Passes on a notification of Apple's.
    func apple(_ notification: AppleNotification, _ call: ClientCall) async throws(Refusal) {
        try await user.settle(IdentityOperations.noteApple, notification, for: call, refusedAs: .forgedWebhook)
    }

    /// Passes on Twilio's status of a message.
    func twilio(_ callback: TwilioCallback, _ call: ClientCall) async throws(Refusal) {
        try await otp.settle(OTPOperations.twilioCallback, callback, for: call, refusedAs: .forgedCallback)
    }
}
