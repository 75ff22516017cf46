package import ServiceCalls

/// Sends our own texts through Twilio Messaging (integration guide 1.3).
package struct TwilioMessagingSender: MessageSender {
    package static let defaultURL = "https://api.twilio.com"

    /// The sender of text messages.
    package enum Origin: Sendable, Equatable {
        /// A messaging service, `MG…`: Twilio picks one of its numbers.
        case service(String)
        /// A phone number, a short code or a name.
        case number(String)
    }

    /// The settings for WhatsApp, where codes go only in an approved template with the code as its single variable.
    package struct WhatsApp: Sendable, Equatable {
        /// A phone number in E.164.
        package let from: String
        /// The template's id, `HX…`.
        package let contentSID: String

        package init(from: String, contentSID: String) {
            self.from = from
            self.contentSID = contentSID
        }
    }

    package let provider = "twilio-messaging"
    package let abilities: SenderAbilities
    private let client: TwilioClient
    private let path: String
    private let origin: Origin?
    private let senders: TwilioSenders
    private let whatsApp: WhatsApp?
    private let callbackURL: String?
    private let validSeconds: Int64

    /// - Parameters:
    ///     - url: The base URL without a path; tests set another one than Twilio's.
    ///     - origin: The sender of text messages; `nil` sends only by WhatsApp.
    ///     - senders: The senders used instead of `origin` for phone numbers with their calling codes.
    ///     - callbackURL: Where Twilio reports the delivery status of messages; `nil` requests no reports.
    ///     - validSeconds: Seconds for which a message is useful: a code's lifetime.
    ///     - release: The release named in `User-Agent`.
    package init(
        url: String = defaultURL, account: TwilioAccount, from origin: Origin?,
        senders: TwilioSenders = TwilioSenders(standard: nil), whatsApp: WhatsApp?, callbackURL: String?,
        validSeconds: Int64, release: String, exchange: any ProviderExchange
    ) {
        client = TwilioClient(url: url, account: account, release: release, exchange: exchange)
        path = "/2010-04-01/Accounts/\(account.sid)/Messages.json"
        self.origin = origin
        self.senders = senders
        self.whatsApp = whatsApp
        self.callbackURL = callbackURL
        self.validSeconds = validSeconds
        let channels = [origin.map { _ in "sms" }, whatsApp.map { _ in "whatsapp" }].compactMap { $0 }
        abilities = SenderAbilities(channels: Set(channels), contents: [.code, .text])
    }

    package func send(_ message: Message) async throws(DeliveryFailure) -> String {
        let deadline = ContinuousClock.now + message.limit
        let fields = try fields(message)
        switch await post(fields, by: deadline) {
        case .taken(let id): return id
        case .failed(let failure), .closeFirst(let failure): throw failure
        case .again(let seconds, let failure):
            let end = ContinuousClock.now + .seconds(min(seconds, 60))
            guard end < deadline else { throw failure }
            do { try await Task.sleep(until: end) } catch { throw failure }
            switch await post(fields, by: deadline) {
            case .taken(let id): return id
            case .failed(let failure), .again(_, let failure), .closeFirst(let failure): throw failure
            }
        }
    }

    private func post(
        _ fields: [(String, String)], by deadline: ContinuousClock.Instant
    ) async -> TwilioErrors.Verdict {
        let result = await client.post(path, fields, within: deadline - .now)
        guard let answer = result.accepted else { return TwilioErrors.verdict(result) }
        guard let id = answer.body?.sid, let status = answer.body?.status else { return .failed(.badAnswer) }
        if status == "failed" || status == "undelivered" {
            return .failed(TwilioErrors.failure(ofMessageCode: answer.body?.errorCode))
        }
        return .taken(id: id)
    }

    private func fields(_ message: Message) throws(DeliveryFailure) -> [(String, String)] {
        var fields = try message.channel == "whatsapp" ? whatsAppFields(message) : textFields(message)
        fields.append(("ValidityPeriod", "\(validSeconds)"))
        if let callbackURL { fields.append(("StatusCallback", callbackURL)) }
        return fields
    }

    private func textFields(_ message: Message) throws(DeliveryFailure) -> [(String, String)] {
        switch senders.own(for: message.recipient).map(Origin.number) ?? origin {
        case .service(let sid):
            [("To", message.recipient), ("MessagingServiceSid", sid), ("Body", message.content.text)]
        case .number(let number): [("To", message.recipient), ("From", number), ("Body", message.content.text)]
        case nil: throw .refused
        }
    }

    private func whatsAppFields(_ message: Message) throws(DeliveryFailure) -> [(String, String)] {
        guard let whatsApp, let code = message.content.code else { throw .refused }
        return [
            ("To", "whatsapp:" + message.recipient), ("From", "whatsapp:" + whatsApp.from),
            ("ContentSid", whatsApp.contentSID), ("ContentVariables", #"{"1":"\#(code)"}"#),
        ]
    }
}
