import CryptoPrimitives
import Delivery
import InternalAPI
import Logging
import Policies
import ServiceCalls
import Synchronization
import TestSupport
import Testing

@testable import OTPCore

@Suite struct CallbackTests {
    private static let account = "AC0123456789abcdef0123456789abcdef"
    private static let url = "https://auth.example.com/webhooks/twilio/status"

    /// Runs `body` with the use case over a Redis of its own.
    private func withUse(
        _ tokens: String = "token-new\ntoken-old\n", line: SenderLine? = nil,
        _ body: (NoteDeliveryReport, CodeFixture) async throws -> Void
    ) async throws {
        let callbacks = TwilioCallbacks(account: try TwilioAccount(sid: Self.account, tokens: tokens), url: Self.url)
        try await withFixture(.generous, line: line, twilio: .init(callbacks: callbacks)) { fixture async throws in
            try await body(try #require(fixture.phones.noteDeliveryReport), fixture)
        }
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

    @Test func `both tokens of a rotation are believed, with a query too`() async throws {
        try await withUse { note, _ in
            for callback in [callback(), callback(token: "token-old"), callback(query: "a=1&b=2")] {
                #expect(await note(callback).result == .noted)
            }
        }
        try await withUse("token-new") { note, _ in
            #expect(await note(callback(token: "token-old")).result == .forged)
        }
    }

    @Test func `forged, altered and foreign ones are refused`() async throws {
        var (altered, moved, unsigned) = (callback(), callback(), callback())
        altered.body += "&ErrorCode=30003"
        moved.query = "x=1"
        unsigned.signature = ""
        let all = [
            callback(token: "guessed-token"), callback(account: "AC00000000000000000000000000000000"),
            callback(more: [("AccountSid", "AC2")]), altered, moved, unsigned,
        ]
        try await withUse { note, _ in
            for callback in all { #expect(await note(callback).result == .forged) }
        }
    }

    @Test func `undelivered messages make the number's next ones begin with the fallback`() async throws {
        let (texts, calls) = (
            RecordingSender("texts", abilities: SenderAbilities(channels: ["sms"], contents: [.code])),
            RecordingSender("calls", abilities: SenderAbilities(channels: ["call"], contents: [.code]))
        )
        for status in ["undelivered", "failed", "delivered"] {
            let before = calls.messages.count
            try await withUse(line: SenderLine([texts, calls], fallback: [.call])) { note, fixture in
                try await fixture.request("+14155552671")
                #expect(await note(callback(status: status, more: [("ErrorCode", "30003")])).result == .noted)
                try await fixture.request("+14155552671")
                #expect(calls.messages.count - before == (status == "delivered" ? 0 : 1))
            }
        }
    }

    @Test(arguments: ["", "a=%zz", "a=%FF", String(repeating: "a=1&", count: 33)])
    func `what is no form is told apart`(body: String) async throws {
        let callback = TwilioCallback(body: body, query: nil, signature: "x")
        try await withUse { note, _ in #expect(await note(callback).result == .malformed) }
    }

    @Test func `only the end of a message says something, and its error is a known number or other`() {
        func report(_ fields: [(String, String)]) -> DeliveryReport? {
            DeliveryReport([("MessageSid", "SM1"), ("To", "whatsapp:+14155552671")] + fields)
        }
        for status in ["queued", "sent", "read", "delivering", ""] {
            #expect(report([("MessageStatus", status)]) == nil)
        }
        #expect(report([("MessageStatus", "undelivered"), ("ErrorCode", "30003")])?.errorLabel == "30003")
        #expect(report([("MessageStatus", "failed"), ("ErrorCode", "12345")])?.errorLabel == "other")
        let delivered = report([("MessageStatus", "delivered"), ("ErrorCode", "")])
        #expect(
            delivered?.errorLabel == "none" && delivered?.channel == "whatsapp" && delivered?.number == "+14155552671")
    }

    @Test func `a message's end counts once among the last 4,096, and an older one again`() async throws {
        try await withUse { note, _ async throws in
            func isNew(_ number: Int) throws -> Bool {
                let fields = [("MessageSid", "SM\(number)"), ("MessageStatus", "delivered"), ("To", "+14155552671")]
                return note.isNew(try #require(DeliveryReport(fields)))
            }
            for number in 0..<NoteDeliveryReport.memoryMax { #expect(try isNew(number)) }
            for number in [0, NoteDeliveryReport.memoryMax - 1] { #expect(try !isNew(number)) }
            for number in 0..<2 * NoteDeliveryReport.memoryMax {
                #expect(try isNew(NoteDeliveryReport.memoryMax + number))
            }
            #expect(try isNew(0))
        }
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
        try await eventually("four calls") { calls.withLock { $0.count } >= 4 }
        #expect(calls.withLock { $0.sorted() } == ["+1", "+1", "+1", "+2"])
        running.cancel()
        try await running.value
    }
}
