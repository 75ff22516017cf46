import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies
import Synchronization
import Testing

@testable import OTPCore

@Suite struct CallbackTests {
    private static let account = "AC0123456789abcdef0123456789abcdef"
    private static let url = "https://auth.example.com/webhooks/twilio/status"

    private func use(_ tokens: String = "token-new\ntoken-old\n") throws -> NoteMessageFate {
        NoteMessageFate(
            TwilioCallbackTerms(account: try TwilioAccount(sid: Self.account, tokens: tokens), url: Self.url),
            rules: CodeRules(otp: OTPPolicy()),
            secrets: CodeSecrets(keys: try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))")), trace: nil)
    }

    private func callback(
        status: String = "delivered", id: String = "SM1", account: String = Self.account, token: String = "token-new",
        query: String? = nil, more: [(String, String)] = []
    ) -> TwilioCallback {
        let fields =
            [
                ("MessageSid", id), ("MessageStatus", status), ("To", "+14155552671"), ("AccountSid", account),
            ] + more
        let url = query.map { "\(Self.url)?\($0)" } ?? Self.url
        return TwilioCallback(
            body: FormText.encode(fields), query: query,
            signature: TwilioSignature.sign(url: url, fields: fields, token: token))
    }

    @Test func `both tokens of a rotation are believed, with a query too`() throws {
        let note = try use()
        #expect(note(callback()).result == .noted && note(callback(token: "token-old")).result == .noted)
        #expect(note(callback(query: "a=1&b=2")).result == .noted)
        #expect(try use("token-new")(callback(token: "token-old")).result == .forged)
    }

    @Test func `forged, altered and foreign ones are refused`() throws {
        let note = try use()
        #expect(note(callback(token: "guessed-token")).result == .forged)
        #expect(note(callback(account: "AC00000000000000000000000000000000")).result == .forged)
        #expect(note(callback(more: [("AccountSid", "AC2")])).result == .forged)
        var altered = callback()
        altered.body += "&ErrorCode=30003"
        #expect(note(altered).result == .forged)
        altered = callback()
        altered.query = "x=1"
        #expect(note(altered).result == .forged)
        altered.signature = ""
        #expect(note(altered).result == .forged)
    }

    @Test(arguments: ["", "a=%zz", "a=%FF", String(repeating: "a=1&", count: 33)])
    func `what is no form is told apart`(body: String) throws {
        let callback = TwilioCallback(body: body, query: nil, signature: "x")
        #expect(try use()(callback).result == .malformed)
    }

    @Test func `only the end of a message says something, and its error is a known number or other`() {
        func fate(_ fields: [(String, String)]) -> MessageFate? {
            MessageFate([("MessageSid", "SM1"), ("To", "whatsapp:+14155552671")] + fields)
        }
        for status in ["queued", "sent", "read", "delivering", ""] { #expect(fate([("MessageStatus", status)]) == nil) }
        #expect(fate([("MessageStatus", "undelivered"), ("ErrorCode", "30003")])?.errorLabel == "30003")
        #expect(fate([("MessageStatus", "failed"), ("ErrorCode", "12345")])?.errorLabel == "other")
        let delivered = fate([("MessageStatus", "delivered"), ("ErrorCode", "")])
        #expect(
            delivered?.errorLabel == "none" && delivered?.channel == "whatsapp" && delivered?.number == "+14155552671")
    }

    @Test func `a message's end counts once among the last 4,096, and an older one again`() throws {
        let note = try use()
        func isNew(_ number: Int) throws -> Bool {
            let fields = [("MessageSid", "SM\(number)"), ("MessageStatus", "delivered"), ("To", "+14155552671")]
            return note.isNew(try #require(MessageFate(fields)))
        }
        for number in 0..<NoteMessageFate.memoryMax { #expect(try isNew(number)) }
        for number in [0, NoteMessageFate.memoryMax - 1] { #expect(try !isNew(number)) }
        for number in 0..<2 * NoteMessageFate.memoryMax { #expect(try isNew(NoteMessageFate.memoryMax + number)) }
        #expect(try isNew(0))
    }

    @Test func `right codes are told to Twilio after the answer, three times at most`() async throws {
        let calls = Mutex<[String]>([])
        let reports = ApprovalReports(
            logger: Logger(label: "test"), pauses: [.milliseconds(1), .milliseconds(1)]
        ) { number throws(DeliveryFailure) in
            calls.withLock { $0.append(number) }
            if number == "+1" { throw .timedOut }
        }
        let running = Task { try await reports.run() }
        reports.note("+1")
        reports.note("+2")
        for _ in 0..<2_000 where calls.withLock({ $0.count }) < 4 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(calls.withLock { $0.sorted() } == ["+1", "+1", "+1", "+2"])
        running.cancel()
        try await running.value
    }
}
