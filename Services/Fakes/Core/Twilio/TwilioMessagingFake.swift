import CryptoPrimitives
import Delivery
import FoundationEssentials
import Hummingbird
import ServiceCalls
import ServiceHTTP
import Synchronization

/// Twilio Messaging as far as it sends: `Messages.json`, with signed callbacks and Twilio's magic numbers for errors
/// (integration guide 1.3).
final class TwilioMessagingFake: Sendable {
    static let provider = "twilio-messaging"
    private static let bodyLengthMax = 1_600
    /// The recipients for tests, with their error codes.
    private static let magic = [
        "+15005550001": 21_211, "+15005550002": 21_612, "+15005550003": 21_408, "+15005550004": 21_610,
        "+15005550009": 21_614,
    ]

    private let messages: PhoneMessages
    private let script: Script
    private let callbacks: TwilioCallbacks?
    private let now: @Sendable () -> Int64

    init(
        messages: PhoneMessages, script: Script, callbacks: TwilioCallbacks?, now: @escaping @Sendable () -> Int64
    ) {
        self.messages = messages
        self.script = script
        self.callbacks = callbacks
        self.now = now
    }

    func add(to router: Router<BasicRequestContext>) {
        router.post("/2010-04-01/Accounts/:account/Messages.json") { request, context in
            do throws(TwilioFault) {
                return try await self.create(request, account: context.parameters.get("account") ?? "")
            } catch { return try error.response() }
        }
    }

    /// Reports the status of a message that was accepted.
    ///
    /// - Returns: the status of the response, or `nil` if there is no receiver.
    func tell(_ wish: TwilioCallbacks.Wish) async -> Int? {
        guard let callbacks, let item = messages.all(to: nil).first(where: { $0.id == wish.sid }),
            let url = item.fields["StatusCallback"], let account = item.fields["AccountSid"]
        else { return nil }
        return await callbacks.tell(wish, of: item, account: account, at: url)
    }

    /// Whether our own check accepts a callback as Twilio's.
    func believes(_ url: String, _ body: String, _ signature: String) -> Bool {
        guard let callbacks, let fields = FormText.decode(body, countMax: 32) else { return false }
        return TwilioSignature.isValid(signature, url: url, fields: fields, tokens: [callbacks.token])
    }

    private func create(_ request: Request, account: String) async throws(TwilioFault) -> Response {
        let step = script.next(Self.provider, of: "create")
        let form = try await TwilioRequest(request)
        guard form.account == account || form.account.hasPrefix("SK") else { throw .unauthorized }
        try step?.throwFault()
        if let raw = step?.rawResponse, step?.status.map({ $0 >= 300 }) ?? false { return try await paused(step, raw) }
        let item = try item(form, account: account)
        messages.add(item)
        if let url = form["StatusCallback"], let callbacks {
            let end = script.next(Self.provider, of: "callback")
            let wishes = [
                TwilioCallbacks.Wish(sid: item.id, status: "sent"),
                TwilioCallbacks.Wish(sid: item.id, status: end?.name ?? "delivered", errorCode: end?.code),
            ]
            // Like the real service, the send does not wait for the reports and does not fail with them.
            Task {
                for wish in wishes {
                    _ = await callbacks.tell(wish, of: item, account: account, at: url)
                }
            }
        }
        let response = try response(item, form, account: account)
        return try await paused(step, step?.rawResponse ?? response)
    }

    private func item(_ form: TwilioRequest, account: String) throws(TwilioFault) -> PhoneMessages.Item {
        let to = form["To"] ?? ""
        let number = String(to.trimmingPrefix("whatsapp:"))
        if let code = Self.magic[number] { throw TwilioFault(code: code, status: 400, message: "\(to) is for tests") }
        guard number.hasPrefix("+"), (8...16).contains(number.utf8.count) else {
            throw TwilioFault(code: 21_211, status: 400, message: "The 'To' number \(to) is not valid.")
        }
        guard form["From"] != nil || form["MessagingServiceSid"] != nil else {
            throw TwilioFault(code: 21_603, status: 400, message: "A 'From' number is required.")
        }
        guard form["From"] != "+15005550001" else {
            throw TwilioFault(code: 21_212, status: 400, message: "The 'From' number is not valid.")
        }
        let text = form["Body"] ?? form["ContentVariables"] ?? ""
        guard !text.isEmpty, text.count <= Self.bodyLengthMax else {
            throw TwilioFault(code: 21_602, status: 400, message: "Message body is required.")
        }
        return PhoneMessages.Item(
            id: "SM" + Hex.encode(SecureRandom.bytes(16)), provider: Self.provider,
            channel: to.hasPrefix("whatsapp:") ? "whatsapp" : "sms", to: number, text: text, code: Self.code(in: text),
            fields: form.fields.merging(["AccountSid": account]) { first, _ in first }, createdAt: now())
    }

    private func paused(_ step: Script.Step?, _ response: Response) async throws(TwilioFault) -> Response {
        if let seconds = step?.hang {
            do { try await Task.sleep(for: .seconds(seconds)) } catch { throw .internalError }
        }
        if step?.drop == true { throw .internalError }
        return response
    }

    /// Returns the first run of four to ten digits.
    private static func code(in text: String) -> String? {
        text.split { !$0.isASCII || !$0.isNumber }.first { (4...10).contains($0.count) }.map(String.init)
    }

    private func response(
        _ item: PhoneMessages.Item, _ form: TwilioRequest, account: String
    ) throws(TwilioFault) -> Response {
        let body = Body(
            sid: item.id, status: form["MessagingServiceSid"] == nil ? "queued" : "accepted", to: form["To"] ?? "",
            from: form["From"], body: item.text, account_sid: account,
            messaging_service_sid: form["MessagingServiceSid"])
        do { return try jsonResponse(body, status: .created) } catch { throw .internalError }
    }

    private struct Body: Encodable {
        let sid, status, to: String
        let from: String?
        let body: String
        let num_segments = "1"
        let num_media = "0"
        let direction = "outbound-api"
        let price_unit = "USD"
        let api_version = "2010-04-01"
        let account_sid: String
        let messaging_service_sid: String?
    }
}
