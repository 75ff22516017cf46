/// Sends codes through Twilio Verify (integration guide 1.2); the text is Twilio's.
///
/// Our codes are sent as `CustomCode`, and we handle their expiry and guesses. If Twilio generates the codes, it checks
/// them too (`TwilioVerifications.check`).
package struct TwilioVerifySender: MessageSender {
    package static let defaultURL = "https://verify.twilio.com"
    package static let channels: Set = ["sms", "call", "whatsapp"]
    package static let provider = "twilio-verify"
    /// The `provider` label if Twilio generates the codes.
    package static let managedProvider = "twilio-verify-managed"

    package let provider: String
    package let abilities: SenderAbilities
    private let verifications: TwilioVerifications
    private let template: String?

    /// - Parameters:
    ///     - template: The template's id, `HJ…`; `nil` means the Service's default.
    ///     - makesCodes: Whether Twilio generates the codes.
    package init(_ verifications: TwilioVerifications, template: String?, makesCodes: Bool = false) {
        self.verifications = verifications
        self.template = template
        provider = makesCodes ? Self.managedProvider : Self.provider
        abilities = SenderAbilities(channels: Self.channels, contents: [.code], makesCodes: makesCodes)
    }

    package func send(_ message: Message) async throws(DeliveryFailure) -> String {
        guard let code = message.content.code else { throw .refused }
        return try await verifications.create(
            for: message, customCode: abilities.makesCodes ? nil : code, template: template)
    }
}
