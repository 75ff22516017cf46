import ServiceCalls
import StrictJSON
import Synchronization
import Testing

@testable import Delivery

// Cited by Tests/Compat/statements.md for H4.

/// A provider that gives these answers in turn, the last one again and again; nil: no answer.
private final class ScriptedProvider: ProviderExchange {
    struct Silence: Error {}

    private let answers: [ProviderAnswer?]
    private let seen = Mutex<[ProviderRequest]>([])
    /// The limit of the last request.
    let limit = Mutex(Duration.zero)

    init(_ answers: [ProviderAnswer?]) { self.answers = answers }

    var requests: [ProviderRequest] { seen.withLock { $0 } }

    func send(_ request: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer {
        self.limit.withLock { $0 = limit }
        let number = seen.withLock { seen in
            seen.append(request)
            return seen.count
        }
        guard let answer = answers[min(number, answers.count) - 1] else { throw Silence() }
        return answer
    }
}

@Suite(.timeLimit(.minutes(5))) struct ResendSenderTests {
    private static let sent = ProviderAnswer(status: 200, body: Array(#"{"id":"49a3999c"}"#.utf8))
    private static let message = Message(
        id: "0f8fad5b-d9cb-469f-a165-70867728950e", channel: "email", recipient: "ann@example.com",
        content: Message.Content(subject: "123456 is your code", text: "t", html: "<p>h</p>", code: "123456"),
        locale: nil, clientAddress: "203.0.113.7")

    private func sender(_ provider: ScriptedProvider, pace: SendPace = SendPace()) throws -> ResendSender {
        var tries = SendTries()
        tries.pause = .milliseconds(5)
        tries.total = .seconds(5)
        return ResendSender(
            from: try #require(MailFrom("Acme <login@acme.example>")), key: "re_1", release: "1", exchange: provider,
            tries: tries, pace: pace)
    }

    private static func fault(_ status: Int, _ name: String, _ headers: [String: String] = [:]) -> ProviderAnswer {
        ProviderAnswer(
            status: status, headers: headers,
            body: Array(#"{"statusCode":\#(status),"message":"m","name":"\#(name)"}"#.utf8))
    }

    @Test func `a mail goes out as Resend wants it`() async throws {
        let provider = ScriptedProvider([Self.sent])
        #expect(try await sender(provider).send(Self.message) == "49a3999c")
        let request = try #require(provider.requests.first)
        #expect(request.url == "https://api.resend.com/emails")
        #expect(request.headers["Authorization"] == "Bearer re_1" && request.headers["User-Agent"] == "Latchkey/1")
        #expect(request.headers["Idempotency-Key"] == Self.message.id)
        #expect(
            String(decoding: request.body, as: UTF8.self)
                == #"{"from":"Acme <login@acme.example>","to":["ann@example.com"],"subject":"123456 is your code","#
                + #""text":"t","html":"<p>h</p>","headers":{"Auto-Submitted":"auto-generated"}}"#)
    }

    @Test(arguments: [
        fault(409, "concurrent_idempotent_requests"), fault(429, "rate_limit_exceeded", ["retry-after": "0"]),
        fault(500, "application_error"), fault(502, "x"), ProviderAnswer(status: 503), nil,
    ])
    func `what may pass is tried again under the same key`(_ answer: ProviderAnswer?) async throws {
        let provider = ScriptedProvider([answer, Self.sent])
        #expect(try await sender(provider).send(Self.message) == "49a3999c")
        #expect(provider.requests.count == 2)
        #expect(provider.requests[0] == provider.requests[1])
    }

    @Test(arguments: [
        (fault(400, "validation_error"), DeliveryFailure.Reason.refused), (fault(401, "missing_api_key"), .refused),
        (fault(401, "restricted_api_key"), .refused), (fault(403, "invalid_api_key"), .refused),
        (fault(409, "invalid_idempotent_request"), .refused), (fault(422, "invalid_from_address"), .refused),
        (fault(451, "security_error"), .refused), (fault(429, "daily_quota_exceeded"), .throttled),
        (fault(429, "monthly_quota_exceeded"), .throttled), (ProviderAnswer(status: 302), .badAnswer),
        (ProviderAnswer(status: 200, body: Array("{}".utf8)), .badAnswer),
    ])
    func `what has to be fixed is not tried again`(
        _ answer: ProviderAnswer, _ reason: DeliveryFailure.Reason
    ) async throws {
        let provider = ScriptedProvider([answer])
        let failure = try #require(try await failure(sender(provider), Self.message))
        #expect(failure.reason == reason && failure.isAlarm == (reason == .refused))
        #expect(provider.requests.count == 1)
    }

    @Test func `a wait beyond the time is not begun`() async throws {
        let provider = ScriptedProvider([Self.fault(429, "rate_limit_exceeded", ["retry-after": "60"])])
        #expect(try await failure(sender(provider), Self.message)?.reason == .throttled)
        #expect(provider.requests.count == 1)
    }

    @Test func `Resend's words are reported, without addresses`() async throws {
        let body =
            #"{"statusCode":403,"name":"validation_error","message":"You can only send testing emails to your own email address (ops@acme.example), not ann@example.com."}"#
        let provider = ScriptedProvider([ProviderAnswer(status: 403, body: Array(body.utf8))])
        let failure = try #require(try await failure(sender(provider), Self.message))
        #expect(
            failure.detail == "403 validation_error: You can only send testing emails to your own email address "
                + "(hidden) not (hidden)")
        #expect(failure.isAlarm && failure.reason == .refused)
    }

    @Test func `all sends keep one pace`() async throws {
        let last = ProviderAnswer(
            status: 200, headers: ["ratelimit-remaining": "0", "ratelimit-reset": "1"], body: Self.sent.body)
        let provider = ScriptedProvider([last, Self.sent])
        let pace = SendPace()
        _ = try await sender(provider, pace: pace).send(Self.message)
        let start = ContinuousClock.now
        _ = try await sender(provider, pace: pace).send(Self.message)
        #expect(ContinuousClock.now - start > .milliseconds(800))
        // What was waited for the pace is part of the time of five seconds.
        #expect(provider.limit.withLock { $0 } < .milliseconds(4_200))
        #expect(provider.requests.count == 2)
    }

    @Test func `a pace that is used up for longer than the time fails at once`() async throws {
        let last = ProviderAnswer(
            status: 200, headers: ["ratelimit-remaining": "0", "ratelimit-reset": "30"], body: Self.sent.body)
        let provider = ScriptedProvider([last])
        let pace = SendPace()
        _ = try await sender(provider, pace: pace).send(Self.message)
        await #expect(throws: DeliveryFailure.throttled) {
            try await sender(provider, pace: pace).send(Self.message)
        }
        #expect(provider.requests.count == 1)
    }

    @Test func `what hangs holds up no more than its number`() async throws {
        let bounded = BoundedSender(HangingSender(), inFlightMax: 2)
        await withTaskGroup { group in
            for _ in 0..<2 { group.addTask { _ = try? await bounded.send(Self.message) } }
            while bounded.count < 2 { await Task.yield() }
            await #expect(throws: DeliveryFailure.throttled) { try await bounded.send(Self.message) }
            group.cancelAll()
        }
        #expect(bounded.count == 0)
    }
}

/// Takes a message and does not come back until it is cancelled.
private struct HangingSender: MessageSender {
    let provider = "hanging"
    let abilities = SenderAbilities.mail

    func send(_ message: Message) async throws(DeliveryFailure) -> String {
        do { try await Task.sleep(for: .seconds(60)) } catch { throw .timedOut }
        return message.id
    }
}
