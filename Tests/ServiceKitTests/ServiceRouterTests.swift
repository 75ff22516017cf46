import CryptoPrimitives
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InternalAPI
import NIOCore
import ServiceKit
import Testing

private struct Greeting: Codable, Sendable { var name: String }

@Suite struct ServiceRouterTests {
    private let keys: KeyRing

    init() throws { keys = try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))") }

    private func application() -> some ApplicationProtocol {
        let verifier = AssertionVerifier(service: "token", keys: [.gateway: keys, .user: keys])
        let router = serviceRouter(verifier: verifier) { routes in
            routes.on(.post, "/internal/greet", from: [.gateway]) { request, context in
                try jsonResponse(try decodeBody(Greeting.self, from: context))
            }
            routes.on(.post, "/internal/fail", from: [.gateway]) { _, _ in throw CancellationError() }
            routes.on(.post, "/internal/down", from: [.gateway]) { _, _ in
                throw ServiceUnavailable(service: "redis", reason: "secret-reason")
            }
        }
        return Application(router: router)
    }

    private func post(
        _ path: String, _ body: String, as caller: Caller = .gateway, asserted: Bool = true
    ) async throws -> (status: Int, body: String, retryAfter: String?) {
        try await application().test(.router) { client in
            var headers = HTTPFields()
            if asserted, let name = HTTPField.Name(AssertionSigner.header) {
                headers[name] = AssertionSigner(caller: caller, service: "token", keys: keys)
                    .assertion(method: "POST", path: path, body: Array(body.utf8))
            }
            return try await client.execute(
                uri: path, method: .post, headers: headers, body: ByteBuffer(string: body)
            ) { response in
                (response.status.code, String(buffer: response.body), response.headers[.retryAfter])
            }
        }
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
        #expect(foreign.body.contains(InternalCode.assertionRefused))
    }

    @Test(arguments: ["", "{", #"{"name":1}"#, #"{"name":"a","name":"b"}"#, #"{"name":"a",}"#, "[]", "null"])
    func `a body that is not what was agreed is 400`(body: String) async throws {
        let answer = try await post("/internal/greet", body)
        #expect(answer.status == 400)
        #expect(answer.body.contains(InternalCode.invalidRequest))
    }

    @Test func `a body beyond the limit is refused`() async throws {
        let body = #"{"name":""# + String(repeating: "a", count: ServiceLimits.bodyBytesMax) + #""}"#
        #expect(try await post("/internal/greet", body).status == 413)
    }

    @Test func `an unexpected error is a bare 500, a failed dependency 503 with Retry-After`() async throws {
        let failure = try await post("/internal/fail", "{}")
        #expect(failure.status == 500)
        #expect(!failure.body.contains("Cancellation"))
        let down = try await post("/internal/down", "{}")
        #expect(down.status == 503)
        #expect(down.retryAfter == "1")
        #expect(!down.body.contains("secret-reason"))
    }
}
