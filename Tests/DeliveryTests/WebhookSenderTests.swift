import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import OutgoingConnections
import ServiceCalls
import Synchronization
import Testing

@testable import Delivery

/// Answers hooks from a list, the last answer for ever; nil: no connection.
private final class ScriptedExchange: ProviderExchange {
    private let state: Mutex<(hooks: [ProviderRequest], answers: [ProviderAnswer?])>

    init(_ answers: [ProviderAnswer?]) { state = Mutex(([], answers)) }

    var hooks: [ProviderRequest] { state.withLock { $0.hooks } }

    func send(_ hook: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer {
        let answer = state.withLock { state in
            state.hooks.append(hook)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers.first ?? nil
        }
        guard let answer else { throw CancellationError() }
        return answer
    }
}

@Suite(.timeLimit(.minutes(5))) struct WebhookSenderTests {
    private static let secret = "v1,whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    private static let json = "application/json"
    private let message = Message(
        id: "0f8fad5b-d9cb-469f-a165-70867728950e", channel: "sms", recipient: "+14155552671",
        content: Message.Content(text: "Your code is 561166", code: "561166"), locale: nil,
        clientAddress: "203.0.113.7")

    private func sender(
        _ exchange: any ProviderExchange, url: String = "https://hook.example/sms", total: Duration = .seconds(5)
    ) throws -> WebhookSender {
        var tries = SendTries()
        tries.pause = .milliseconds(5)
        tries.total = total
        return WebhookSender(
            url: url, signature: try WebhookSignature(secrets: Self.secret), exchange: exchange, tries: tries
        ) { 1_756_375_200 }
    }

    private func outcome(
        _ answers: [ProviderAnswer?]
    ) async throws -> (failure: DeliveryFailure?, hooks: [ProviderRequest]) {
        let exchange = ScriptedExchange(answers)
        let sender = try sender(exchange)
        do throws(DeliveryFailure) {
            let id = try await sender.send(message)
            #expect(id == message.id)
            return (nil, exchange.hooks)
        } catch {
            return (error, exchange.hooks)
        }
    }

    @Test func `the signature is that of the specification's vector`() throws {
        let signature = try WebhookSignature(secrets: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let header = signature.header(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(header == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `during a rotation every live secret signs`() throws {
        let other = "v1,whsec_" + Data(repeating: 7, count: 32).base64EncodedString()
        let both = try WebhookSignature(secrets: "\(Self.secret)|\(other)").header(id: "1", timestamp: 2, body: [3])
        let one = try WebhookSignature(secrets: Self.secret).header(id: "1", timestamp: 2, body: [3])
        let two = try WebhookSignature(secrets: other).header(id: "1", timestamp: 2, body: [3])
        #expect(both == "\(one) \(two)")
    }

    @Test(arguments: [
        "", "v1,", "v1,whsec_", "v1,whsec_AAAA", "whsec_!!!!", "|", "v1a,whsk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ])
    func `a secret that is none is refused`(text: String) {
        #expect(throws: WebhookSignature.Problem.self) { try WebhookSignature(secrets: text) }
    }

    @Test func `the hook has the agreed body, signed`() async throws {
        let hook = try #require(try await outcome([ProviderAnswer(status: 204)]).hooks.first)
        #expect(
            String(decoding: hook.body, as: UTF8.self) == """
                {"metadata":{"uuid":"0f8fad5b-d9cb-469f-a165-70867728950e","time":"2025-08-28T10:00:00Z",\
                "name":"send-sms","ip_address":"203.0.113.7"},"user":{"phone":"14155552671"},\
                "sms":{"otp":"561166","phone":"14155552671"}}
                """)
        let expected = try WebhookSignature(secrets: Self.secret)
            .header(id: message.id, timestamp: 1_756_375_200, body: hook.body)
        #expect(hook.headers["webhook-signature"] == expected)
        #expect(hook.headers["webhook-id"] == message.id)
    }

    @Test(arguments: ["call", "whatsapp"]) func `the hook names a channel that is none of text messages`(
        channel: String
    ) async throws {
        let exchange = ScriptedExchange([ProviderAnswer(status: 204)])
        _ = try await sender(exchange).send(message.on(channel, within: .seconds(5)))
        let body = String(decoding: try #require(exchange.hooks.first).body, as: UTF8.self)
        #expect(body.contains(#""channel":"\#(channel)""#), "\(body)")
    }

    @Test(arguments: [
        ProviderAnswer(status: 204), ProviderAnswer(status: 200, headers: ["content-type": json]),
        ProviderAnswer(
            status: 202, headers: ["content-type": "application/json; charset=utf-8"], body: Array("{}".utf8)),
    ])
    func `the agreed answers are success`(answer: ProviderAnswer) async throws {
        let outcome = try await outcome([answer])
        #expect(outcome.failure == nil)
        #expect(outcome.hooks.count == 1)
    }

    @Test(arguments: [
        (ProviderAnswer(status: 200, headers: ["content-type": "text/html"]), DeliveryFailure.badAnswer),
        (ProviderAnswer(status: 200, headers: ["content-type": json], body: Array("nonsense".utf8)), .badAnswer),
        (
            ProviderAnswer(
                status: 200, headers: ["content-type": json], body: Array(#"{"error":{"message":"no"}}"#.utf8)),
            .refused
        ),
        (
            ProviderAnswer(
                status: 200, headers: ["content-type": json], body: Array(#"{"error":{"http_code":429}}"#.utf8)),
            .throttled
        ),
        (ProviderAnswer(status: 302), .refused), (ProviderAnswer(status: 400), .refused),
        (ProviderAnswer(status: 500), .refused),
        (ProviderAnswer(status: 429), .throttled), (ProviderAnswer(status: 503), .throttled),
    ])
    func `other answers are failures at once`(answer: ProviderAnswer, failure: DeliveryFailure) async throws {
        let outcome = try await outcome([answer])
        #expect(outcome.failure == failure)
        #expect(outcome.hooks.count == 1)
    }

    @Test func `a lost connection and a receiver that asks for patience are tried again under the same id`()
        async throws
    {
        let outcome = try await outcome([
            nil, ProviderAnswer(status: 503, headers: ["retry-after": "0"]), ProviderAnswer(status: 204),
        ])
        #expect(outcome.failure == nil)
        #expect(outcome.hooks.count == 3)
        #expect(Set(outcome.hooks.map { $0.headers["webhook-id"] }).count == 1)
    }

    @Test func `three tries are enough`() async throws {
        let outcome = try await outcome([nil])
        #expect(outcome.failure == DeliveryFailure(connection: .closed))
        #expect(outcome.hooks.count == 3)
    }

    @Test(arguments: ["60", "9223372036854775807"])
    func `a wait beyond the time limit is not begun`(seconds: String) async throws {
        let outcome = try await outcome([ProviderAnswer(status: 429, headers: ["retry-after": seconds])])
        #expect(outcome.failure == .throttled)
        #expect(outcome.hooks.count == 1)
    }

    @Test func `over HTTP the headers arrive, and a redirect is not followed`() async throws {
        let seen = Mutex<[String]>([])
        let router = Router()
        router.post("/sms") { request, _ in
            let names = ["webhook-id", "webhook-timestamp", "webhook-signature"].compactMap { HTTPField.Name($0) }
            seen.withLock { $0.append(contentsOf: names.compactMap { request.headers[$0] }) }
            return Response(status: .noContent)
        }
        router.post("/moved") { _, _ in Response(status: .found, headers: [.location: "/sms"]) }
        try await Application(router: router).test(.live) { live in
            let port = try #require(live.port)
            let client = HTTPClient(
                eventLoopGroup: HTTPClient.defaultEventLoopGroup.any(),
                configuration: .init(redirectConfiguration: .disallow))
            let exchange = HTTPProviderExchange(client: client)
            let moved = try sender(exchange, url: "http://127.0.0.1:\(port)/moved")
            await #expect(throws: DeliveryFailure.refused) { try await moved.send(message) }
            #expect(seen.withLock { $0 }.isEmpty)
            _ = try await sender(exchange, url: "http://127.0.0.1:\(port)/sms").send(message)
            #expect(seen.withLock { $0 }.count == 3)
            try await client.shutdown()
        }
    }

    @Test(arguments: [0, 1]) func `a receiver that trickles its answer holds nobody up`(tricklesAfter: Int) async throws
    {
        let router = Router()
        router.post("/sms") { _, _ in
            Response(
                status: .ok,
                body: .init { writer in
                    for count in 0..<600 {
                        if count >= tricklesAfter { try await Task.sleep(for: .milliseconds(50)) }
                        try await writer.write(ByteBuffer(string: " "))
                    }
                    try await writer.finish(nil)
                })
        }
        try await Application(router: router).test(.live) { live in
            let port = try #require(live.port)
            let client = HTTPClient(
                eventLoopGroup: HTTPClient.defaultEventLoopGroup.any(),
                configuration: .init(redirectConfiguration: .disallow))
            let slow = try sender(
                HTTPProviderExchange(client: client), url: "http://127.0.0.1:\(port)/sms",
                total: .milliseconds(400))
            // The answer would be whole after half a minute.
            await #expect(throws: DeliveryFailure.self) { try await slow.send(message) }
            try await client.shutdown()
        }
    }
}
