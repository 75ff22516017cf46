import AsyncHTTPClient
import CallDeadlines
import CryptoPrimitives
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InternalAPI
import NIOCore
import ServiceHTTP
import Synchronization
import Testing

@testable import ServiceCalls

private struct Rest: Codable, Sendable { var milliseconds: Int64 }

/// Calls between services over real connections: what counts as an answer, and for how long one is waited for.
@Suite(.timeLimit(.minutes(5))) struct HTTPServiceTransportTests {
    private let keys: KeyRing
    private let otherKeys: KeyRing

    init() throws {
        keys = try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))")
        otherKeys = try KeyRing(parsing: "k1 \(Hex.encode(SecureRandom.bytes(32)))")
    }

    /// Runs `body` with a transport to a server that has these routes.
    private func withTransport<Context: InitializableFromSource<ApplicationRequestContextSource>>(
        to router: Router<Context>, keys: KeyRing? = nil,
        _ body: @Sendable (HTTPServiceTransport) async throws -> Void
    ) async throws {
        try await Application(router: router).test(.live) { server in
            let client = OutgoingCalls(client: makeHTTPClient())
            let transport = HTTPServiceTransport(
                service: "token", baseURLs: ["http://127.0.0.1:\(try #require(server.port))"], caller: .gateway,
                keys: keys ?? self.keys, client: client.client)
            do { try await body(transport) } catch {
                try await client.client.shutdown()
                throw error
            }
            try await client.client.shutdown()
        }
    }

    /// A service that says how much time its call has.
    private func service(counting calls: Counter? = nil) -> Router<ServiceRequestContext> {
        serviceRouter(verifier: AssertionVerifier(service: "token", keys: [.gateway: keys])) { routes in
            routes.on(Self.rest) { _, _ in
                calls?.add()
                let rest = CallDeadline.current?.rest ?? .zero
                return .answer(Rest(milliseconds: Int64(rest / .milliseconds(1))))
            }
        }
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    private static let rest = rest(.seconds(30))

    private static func rest(_ timeLimit: Duration) -> InternalOperation<NoBody, Rest, NoRefusal> {
        InternalOperation(.get, "/rest", from: [.gateway], timeLimit: timeLimit)
    }

    private func rest(_ transport: HTTPServiceTransport, _ timeLimit: Duration = .seconds(30)) async throws -> Int64 {
        try await ServiceClient(service: "token", transport: transport)
            .call(Self.rest(timeLimit), requestID: nil).answer.milliseconds
    }

    private func isAnswered(_ transport: HTTPServiceTransport) async -> Bool {
        do { return try await rest(transport) >= 0 } catch { return false }
    }

    @Test func `a service has a second less than its caller waits`() async throws {
        try await withTransport(to: service()) { transport in
            let rest = try await rest(transport)
            #expect(rest <= 29_000)
        }
        try await withTransport(to: service()) { transport in
            let rest = try await rest(transport, .seconds(15))
            #expect(rest <= 14_000)
        }
    }

    @Test(arguments: [15, 30]) func `a call states how long its caller waits`(seconds: Int64) async throws {
        let stated = Mutex<[Int64]>([])
        let router = Router()
        let name = try #require(HTTPField.Name(AssertionSigner.header))
        router.get("/rest") { request, _ -> Response in
            let assertion = try Assertion(parsing: request.headers[name] ?? "")
            stated.withLock { $0.append(assertion.times.wait) }
            return Response(status: .ok)
        }
        try await withTransport(to: router) { transport in
            _ = await #expect(throws: ServiceUnavailable.self) { try await rest(transport, .seconds(seconds)) }
        }
        // The limit, less what the caller itself has used of it.
        let first = try #require(stated.withLock { $0.first })
        #expect(first <= seconds * 1_000 && first > seconds * 500)
    }

    @Test func `a service hands on what its own caller leaves it`() async throws {
        try await withTransport(to: service()) { transport in
            let own = CallDeadline(in: .seconds(15))
            let left: Int64 = try await CallDeadline.$current.withValue(own) { try await rest(transport) }
            #expect(left <= 14_000)
        }
    }

    @Test func `nothing is called for a caller that waits no longer`() async throws {
        let calls = Counter()
        try await withTransport(to: service(counting: calls)) { transport in
            let passed = CallDeadline(in: .zero)
            let answered: Bool = await CallDeadline.$current.withValue(passed) { await isAnswered(transport) }
            #expect(!answered)
        }
        #expect(calls.value == 0)
    }

    @Test(arguments: [nil, "", "v1;", "v1;AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"])
    func `an answer without its proof counts as none`(proof: String?) async throws {
        let router = Router()
        var fields = HTTPFields()
        if let proof { fields[try #require(HTTPField.Name(AnswerProof.header))] = proof }
        let body = ByteBuffer(string: #"{"milliseconds":1}"#)
        router.get("/rest") { [fields] _, _ -> Response in
            Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: body))
        }
        try await withTransport(to: router) { transport in
            let error = try await #require(throws: ServiceUnavailable.self) { _ = try await rest(transport) }
            #expect(error.reason == AssertionSigner.unprovenAnswer)
        }
    }

    @Test func `what a service says to a caller with another key counts as no answer`() async throws {
        try await withTransport(to: service(), keys: otherKeys) { transport in
            let error = try await #require(throws: ServiceUnavailable.self) { _ = try await rest(transport) }
            #expect(error.reason == AssertionSigner.unprovenAnswer)
        }
    }
}
