/// Sends our codes through Twilio Verify as `CustomCode`: the text is Twilio's, expiry and guesses are ours (integration
/// guide 1.2).
package struct TwilioVerifySender: MessageSender {
    package static let defaultURL = "https://verify.twilio.com"
    package static let channels: Set = ["sms", "call", "whatsapp"]

    package static let provider = "twilio-verify"

    package let provider = TwilioVerifySender.provider
    package let abilities = SenderAbilities(channels: TwilioVerifySender.channels, contents: [.code])
    private let verifications: TwilioVerifications
    private let template: String?

    /// - Parameter template: `HJ…`; nil: the Service's own.
    package init(_ verifications: TwilioVerifications, template: String?) {
        self.verifications = verifications
        self.template = template
    }

    package func send(_ message: Message) async throws(DeliveryFailure) -> String {
        guard let code = message.content.code else { throw .refused }
        return try await verifications.create(for: message, customCode: code, template: template)
    }
}
