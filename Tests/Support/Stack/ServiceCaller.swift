import CryptoPrimitives
import FoundationEssentials
package import InternalAPI
import ServiceCalls

/// Calls the services like the gateway, as a thief of the gateway's keys could.
package struct ServiceCaller: Sendable {
    package let stack: LatchkeyStack
    package var caller: Caller
    /// How long its calls say that they are waited for: as the gateway's.
    package var wait = Duration.seconds(3)
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
        let call = AssertionSigner(caller: caller, service: service, keys: keys).sign(request, wait: wait)
        var headers = [(AssertionSigner.header, call.text), ("Content-Type", "application/json")]
        if let authorization { headers.append(("Authorization", authorization)) }
        return try await (client ?? stack.service(service)).send(method, path, headers: headers, body: body)
    }
}
