package import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Posts one hook and brings its answer.
package protocol HookExchange: Sendable {
    /// - Throws: any error when no whole answer came within `limit`, whatever part of it came.
    func post(_ hook: SignedHook, to url: String, within limit: Duration) async throws -> HookAnswer
}

/// One hook as it goes over the wire.
package struct SignedHook: Sendable, Equatable {
    package let id: String
    /// Unix time in seconds.
    package let timestamp: Int64
    package let signature: String
    package let body: [UInt8]
}

/// What a hook's receiver answered.
package struct HookAnswer: Sendable, Equatable {
    package var status: Int
    package var contentType: String?
    package var retryAfter: String?
    package var body: [UInt8]

    package init(status: Int, contentType: String? = nil, retryAfter: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// The exchange over HTTP.
package struct HTTPHookExchange: HookExchange {
    /// Bytes of an answer (integration guide 1.5).
    static let answerBytesMax = 200 * 1024

    private let client: HTTPClient

    /// - Parameter client: must not follow redirects, and has one event loop: when a request and its connection have two, a
    ///   connection that ends at the wrong moment is given back twice, and the client's pool ends the process.
    package init(client: HTTPClient) { self.client = client }

    package func post(_ hook: SignedHook, to url: String, within limit: Duration) async throws -> HookAnswer {
        let headers: HTTPHeaders = [
            "Content-Type": "application/json", "Accept-Encoding": "identity", "webhook-id": hook.id,
            "webhook-timestamp": String(hook.timestamp), "webhook-signature": hook.signature,
        ]
        let request = try HTTPClient.Request(url: url, method: .POST, headers: headers, body: .bytes(hook.body))
        // The client's async face heeds the deadline only until the head: a trickled body would have no end.
        let response = try await client.execute(
            request: request, delegate: ResponseAccumulator(request: request, maxBodySize: Self.answerBytesMax),
            deadline: .now() + TimeAmount(limit)
        ).get()
        return HookAnswer(
            status: Int(response.status.code), contentType: response.headers.first(name: "Content-Type"),
            retryAfter: response.headers.first(name: "Retry-After"),
            body: response.body.map { Array($0.readableBytesView) } ?? [])
    }
}
