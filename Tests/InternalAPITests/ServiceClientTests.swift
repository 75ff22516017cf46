import InternalAPI
import Synchronization
import Testing

@Suite struct ServiceClientTests {
    /// Answers every request alike, and notes it.
    private final class Answering: InternalTransport {
        private let answer: InternalResponse
        private let requests = Mutex([InternalRequest]())

        init(_ status: Int, _ body: String) { answer = InternalResponse(status: status, body: Array(body.utf8)) }

        var last: InternalRequest? { requests.withLock { $0.last } }

        func send(_ request: InternalRequest) async throws(ServiceUnavailable) -> InternalResponse {
            requests.withLock { $0.append(request) }
            return answer
        }
    }

    private func resolve(
        _ status: Int, _ body: String
    ) async throws(ServiceUnavailable) -> OperationOutcome<ResolveAnswer, ResolveRefusal> {
        try await ServiceClient(service: "user", transport: Answering(status, body))
            .call(UserOperations.resolve, ResolveRequest(attestation: "a", name: nil), requestID: nil)
    }

    @Test(arguments: ResolveRefusal.allCases) func `a refusal of the operation is one of its cases`(
        refusal: ResolveRefusal
    ) async throws {
        let body = #"{"code":"\#(refusal.rawValue)","title":"So it is"}"#
        guard case .refused(let told, let title) = try await resolve(refusal.status, body) else {
            Issue.record("no refusal")
            return
        }
        #expect(told == refusal && title == "So it is")
    }

    @Test func `a refusal can name the member that it blames`() async throws {
        let body = #"{"code":"invalid_request","title":"So it is","member":"region"}"#
        let (outcome, member) = try await ServiceClient(service: "user", transport: Answering(400, body))
            .callNaming(UserOperations.resolve, ResolveRequest(attestation: "a", name: nil), requestID: nil)
        guard case .refused(.invalidRequest, _) = outcome else {
            Issue.record("no refusal")
            return
        }
        #expect(member == "region")
    }

    @Test(arguments: [
        (401, #"{"code":"assertion_refused","title":"t"}"#), (404, #"{"code":"http_404","title":"t"}"#),
        (400, #"{"code":"grant_refused","title":"t"}"#), (401, "{}"), (400, ""), (302, "{}"),
        (500, #"{"code":"internal_error","title":"t"}"#), (503, ""), (200, "{}"), (200, ""),
    ])
    func `whatever else a service says counts as no answer`(status: Int, body: String) async throws {
        await #expect(throws: ServiceUnavailable.self) { try await resolve(status, body) }
    }

    @Test func `what goes out is what the operation declares`() async throws {
        let transport = Answering(200, "{}")
        let client = ServiceClient(service: "token", transport: transport)
        _ = try await client.call(TokenOperations.endOtherSessions, accessToken: "a.b.c", requestID: "r1")
        let own = try #require(transport.last)
        #expect(own.method == .post && own.path == TokenOperations.endOtherSessions.path && own.body.isEmpty)
        #expect(own.accessToken == "a.b.c" && own.requestID == "r1")
        #expect(own.timeLimit == TokenOperations.endOtherSessions.timeLimit)
        _ = try await client.call(
            KeyOperations.retire, RetireKeyRequest(kid: "k1"), accessToken: "a.b.c", requestID: nil)
        let retire = try #require(transport.last)
        #expect(retire.accessToken == nil && retire.body == Array(#"{"kid":"k1"}"#.utf8))
        #expect(retire.timeLimit == .seconds(10))
    }
}
