import CallDeadlines
import CryptoPrimitives
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InternalAPI
import NIOCore
import ServiceCalls
import ServiceHTTP
import TestSupport
import Testing

private struct Greeting: Codable, Sendable { var name: String }

@Suite struct ServiceRouterTests {
    private let keys: KeyRing

    init() throws { keys = try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))") }

    private func application(_ calls: OwnCalls) -> some ApplicationProtocol {
        let router = serviceRouter(verifier: calls.verifier) { routes in
            routes.on(Self.operation("greet")) { greeting, _ in .answer(greeting) }
            routes.on(Self.operation("refuse")) { _, _ in .refused(.notFound, title: "There is no Betty") }
            routes.on(Self.operation("deadline")) { _, _ in
                // The service reserves a second of the caller's wait.
                let expected = CallDeadline(in: OwnCalls.wait - .seconds(1), now: calls.moment.ticks)
                return .answer(Greeting(name: CallDeadline.current == expected ? "in time" : "at another time"))
            }
            routes.on(Self.operation("bearer")) { _, call in .answer(Greeting(name: call.accessToken ?? "nobody")) }
            routes.on(Self.operation("own", onBehalfOfBearer: true)) { _, call in
                .answer(Greeting(name: call.accessToken ?? "nobody"))
            }
            routes.on(Self.operation("fail")) { _, _ in throw CancellationError() }
            routes.on(Self.operation("down")) { _, _ in
                throw ServiceUnavailable(service: "redis", reason: "secret-reason")
            }
            #expect(routes.callers == [.gateway])
        }
        return Application(router: router)
    }

    private static func operation(
        _ name: String, onBehalfOfBearer: Bool = false
    ) -> InternalOperation<Greeting, Greeting, UserRefusal> {
        InternalOperation(
            .post, "/internal/\(name)", from: [.gateway], onBehalfOfBearer: onBehalfOfBearer)
    }

    private func post(
        _ path: String, _ body: String, as caller: Caller = .gateway, asserted: Bool = true,
        authorization: [String] = []
    ) async throws -> Answer {
        let calls = OwnCalls(to: "token", keys: [.gateway: keys, .user: keys])
        let application = application(calls)
        let call = calls.sign(
            AssertedRequest(
                method: "POST", path: path, authorization: authorization.first ?? "", body: Array(body.utf8)),
            as: caller, keys: keys)
        let (field, proof) = (
            try #require(HTTPField.Name(AssertionSigner.header)), try #require(HTTPField.Name(AnswerProof.header))
        )
        var headers: HTTPFields = asserted ? [field: call.text] : [:]
        headers[values: .authorization] = authorization
        return try await application.test(.router) { [headers] client in
            try await client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(string: body)) {
                response in
                let value = response.headers[proof].map { Array($0.utf8) }
                return Answer(
                    status: response.status.code, body: String(buffer: response.body),
                    retryAfter: response.headers[.retryAfter], hasProof: value != nil,
                    isAuthentic: value.map {
                        call.proof.isGood(
                            $0, status: response.status.code, body: response.body.readableBytesUInt8Span)
                    } ?? false)
            }
        }
    }

    private struct Answer {
        let status: Int
        let body: String
        let retryAfter: String?
        let hasProof: Bool
        let isAuthentic: Bool
    }

    @Test func `an asserted call is answered`() async throws {
        let answer = try await post("/internal/greet", #"{"name":"Betty"}"#)
        #expect(answer.status == 200)
        #expect(answer.body == #"{"name":"Betty"}"#)
    }

    @Test func `a call without an assertion, or by one who may not, is 401`() async throws {
        #expect(try await post("/internal/greet", "{}", asserted: false).status == 401)
        let foreign = try await post("/internal/greet", #"{"name":"Betty"}"#, as: .user)
        #expect(foreign.status == 401)
        #expect(foreign.body.contains(CallerRefusal.assertionRefused.rawValue))
    }

    @Test(arguments: ["", "{", #"{"name":1}"#, #"{"name":"a","name":"b"}"#, #"{"name":"a",}"#, "[]", "null"])
    func `a body that is not what was agreed is 400`(body: String) async throws {
        let answer = try await post("/internal/greet", body)
        #expect(answer.status == 400)
        #expect(answer.body.contains(InvalidRequestOnly.invalidRequest.rawValue))
    }

    @Test(arguments: [
        "/internal/greet": 200, "/internal/refuse": 404, "/internal/fail": 500, "/internal/down": 503,
        "/internal/nowhere": 404,
    ])
    func `every answer to an asserted call is authenticated`(path: String, status: Int) async throws {
        let answer = try await post(path, #"{"name":"Betty"}"#)
        #expect(answer.status == status)
        #expect(answer.isAuthentic)
        // One who may not use the route is one of us all the same.
        #expect(try await post("/internal/greet", "{}", as: .user).isAuthentic)
        #expect(try await post("/internal/greet", "{").isAuthentic)
    }

    @Test func `an answer to nobody that we know proves nothing`() async throws {
        #expect(try await !post("/internal/greet", "{}", asserted: false).hasProof)
        #expect(try await !post("/internal/greet", "{}", as: .otp).hasProof)
    }

    @Test func `a refusal has its status, its code and its title`() async throws {
        let answer = try await post("/internal/refuse", #"{"name":"Betty"}"#)
        #expect(answer.status == 404)
        #expect(answer.body.contains(#""code":"not_found""#) && answer.body.contains("There is no Betty"))
    }

    @Test(arguments: [
        ["Bearer a.b.c"]: "a.b.c", ["bearer a.b.c"]: "a.b.c", ["BEARER a.b.c"]: "a.b.c", ["a.b.c"]: "nobody",
        ["Basic a.b.c"]: "nobody", ["Bearer"]: "nobody", []: "nobody",
    ])
    func `the one bearer token is handed on where the operation takes one`(
        fields: [String], token: String
    ) async throws {
        let body = #"{"name":"Betty"}"#
        #expect(try await post("/internal/own", body, authorization: fields).body == #"{"name":"\#(token)"}"#)
        #expect(try await post("/internal/bearer", body, authorization: fields).body == #"{"name":"nobody"}"#)
    }

    @Test func `a handler knows until when its caller waits`() async throws {
        #expect(try await post("/internal/deadline", #"{"name":"Betty"}"#).body == #"{"name":"in time"}"#)
    }

    @Test func `a body beyond the limit is refused`() async throws {
        let body = #"{"name":""# + String(repeating: "a", count: ServiceLimits.bodyBytesMax) + #""}"#
        #expect(try await post("/internal/greet", body).status == 413)
    }

    @Test func `an unexpected error is a bare 500, a failed dependency 503 with Retry-After`() async throws {
        let failure = try await post("/internal/fail", #"{"name":"Betty"}"#)
        #expect(failure.status == 500)
        #expect(!failure.body.contains("Cancellation"))
        let down = try await post("/internal/down", #"{"name":"Betty"}"#)
        #expect(down.status == 503)
        #expect(down.retryAfter == "1")
        #expect(!down.body.contains("secret-reason"))
    }
}
