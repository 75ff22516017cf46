import CryptoPrimitives
import FoundationEssentials
package import InternalAPI
import ServiceCalls

/// Calls the services like the gateway, as a thief of the gateway's keys could.
package struct ServiceCaller: Sendable {
    package let stack: LatchkeyStack
    package var caller: Caller
    /// How long its calls say that they are waited for: the longest that a service believes.
    private static let wait = Duration.seconds(30)
    private let client: TestHTTPClient?

    /// - Parameter client: leads to the service; nil: its port in the stack, over connections that all share.
    package init(stack: LatchkeyStack, caller: Caller = .gateway, client: TestHTTPClient? = nil) {
        self.stack = stack
        self.caller = caller
        self.client = client
    }

    /// Posts `body` to a service with a good assertion.
    package func post(_ service: String, _ path: String, _ body: some Encodable) async throws -> HTTPAnswer {
        try await send("POST", service, path, body: Array(try JSONEncoder().encode(body)))
    }

    /// Sends any request with a good assertion, and perhaps an access token.
    package func send(
        _ method: String, _ service: String, _ path: String, body: [UInt8] = [], accessToken: String? = nil
    ) async throws -> HTTPAnswer {
        let keys = try stack.keyRing("assertion_\(caller.rawValue)_\(service)")
        let authorization = accessToken.map { "Bearer \($0)" }
        let request = AssertedRequest(method: method, path: path, authorization: authorization ?? "", body: body)
        let signer = AssertionSigner(caller: caller, service: service, keys: keys)
        let client = try client ?? stack.service(service)
        func attempt(answering challenges: [CallChallenge]) async throws -> (HTTPAnswer, CallRefusal?) {
            let call = signer.sign(request, wait: Self.wait, answering: challenges)
            var headers = [(AssertionSigner.header, call.text), ("Content-Type", "application/json")]
            if let authorization { headers.append(("Authorization", authorization)) }
            let answer = try await client.send(method, path, headers: headers, body: body)
            let proof = answer.headers[AnswerProof.header.lowercased()] ?? ""
            return (answer, call.proof.refusal(in: Array(proof.utf8)))
        }
        let (answer, refusal) = try await attempt(answering: [])
        guard let refusal else { return answer }
        // The service did not know this process yet.
        return try await attempt(answering: [refusal.challenge]).0
    }
}
