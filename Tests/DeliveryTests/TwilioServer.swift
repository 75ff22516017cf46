import AsyncHTTPClient
import Hummingbird
import HummingbirdTesting
import ServiceCalls
import Testing

@testable import Delivery
@testable import FakesCore

/// Twilio as latchkey-fakes play it, on a port of its own, and our senders in front of it.
struct TwilioServer: Sendable {
    static let accountSID = "AC0123456789abcdef0123456789abcdef"
    static let serviceSID = "VA0123456789abcdef0123456789abcdef"
    static let number = "+14155552671"

    let url: String
    let exchange: any ProviderExchange
    let account: TwilioAccount
    let messages: PhoneMessages
    let script: Script
    let verifyFake: TwilioVerifyFake

    var verifications: TwilioVerifications {
        TwilioVerifications(url: url, account: account, service: Self.serviceSID, release: "1", exchange: exchange)
    }

    var verify: TwilioVerifySender { TwilioVerifySender(verifications, template: nil) }

    func messaging(
        from origin: TwilioMessagingSender.Origin? = .number("+15005550006"),
        whatsApp: TwilioMessagingSender.WhatsApp? = nil, callbackURL: String? = nil
    ) -> TwilioMessagingSender {
        TwilioMessagingSender(
            url: url, account: account, from: origin, whatsApp: whatsApp, callbackURL: callbackURL, validSeconds: 300,
            release: "1", exchange: exchange)
    }

    /// A message with a code.
    static func message(
        _ code: String = "123456", on channel: String = "sms", to number: String = Self.number,
        within limit: Duration = .seconds(4), replacesEarlier: Bool = false
    ) -> Message {
        var message = Message(
            id: "0f8fad5b-d9cb-469f-a165-70867728950e", channel: channel, recipient: number,
            content: Message.Content(text: "Your code is \(code)", code: code), locale: nil,
            clientAddress: "203.0.113.7")
        message.limit = limit
        message.replacesEarlier = replacesEarlier
        return message
    }

    /// Scripts the next answer to an operation of a provider.
    func answer(
        _ provider: String = TwilioVerifyFake.provider, at operation: String? = "create", code: Int? = nil,
        status: Int? = nil, message: String? = nil, headers: [String: String]? = nil, body: String? = nil,
        hang: Double? = nil, always: Bool? = nil
    ) {
        script.append([
            Script.Step(
                provider: provider, at: operation, status: status, name: message, headers: headers, code: code,
                body: body, hang: hang, always: always)
        ])
    }
}

/// Runs `body` with a server of its own.
func withTwilio(
    now: @escaping @Sendable () -> Int64 = { 1_800_000_000 }, _ body: @Sendable (TwilioServer) async throws -> Void
)
    async throws
{
    let (messages, script) = (PhoneMessages(), Script())
    let verify = TwilioVerifyFake(messages: messages, script: script, now: now)
    let router = Router(context: BasicRequestContext.self)
    verify.add(to: router)
    TwilioMessagingFake(messages: messages, script: script, callbacks: nil, now: now).add(to: router)
    let account = try TwilioAccount(sid: TwilioServer.accountSID, tokens: "token12345\n")
    try await Application(router: router).test(.live) { live in
        let client = HTTPClient(
            eventLoopGroup: HTTPClient.defaultEventLoopGroup.any(),
            configuration: .init(redirectConfiguration: .disallow))
        let server = TwilioServer(
            url: "http://127.0.0.1:\(try #require(live.port))", exchange: HTTPProviderExchange(client: client),
            account: account, messages: messages, script: script, verifyFake: verify)
        do { try await body(server) } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }
}

/// Returns the failure of a send, or `nil` if it succeeded.
func failure(_ sender: some MessageSender, _ message: Message) async -> DeliveryFailure? {
    do throws(DeliveryFailure) { _ = try await sender.send(message) } catch { return error }
    return nil
}
