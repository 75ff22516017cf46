internal import CryptoPrimitives
internal import FoundationEssentials
package import ServiceKit

/// What a thief of the gateway's keys can do: call the services as the gateway does.
package struct ServiceCaller: Sendable {
    package let stack: LatchkeyStack
    package var caller: Caller
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
        let assertion = AssertionSigner(caller: caller, service: service, keys: keys)
            .assertion(method: method, path: path, body: body)
        var headers = [(AssertionSigner.header, assertion), ("Content-Type", "application/json")]
        if let accessToken { headers.append(("Authorization", "Bearer \(accessToken)")) }
        return try await (client ?? stack.service(service)).send(method, path, headers: headers, body: body)
    }
}
