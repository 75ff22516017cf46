package import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
package import OutgoingConnections
import Spans
import Tracing

/// Sends one request to a provider, or to the gateway, and returns its response.
package protocol ProviderExchange: Sendable {
    /// - Throws: `AnswerTooLarge` for a response that is larger than allowed, and `ConnectionFailure` if no complete one arrived
    ///   within `limit`, even if part of it did.
    func send(_ request: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer
}

/// A request to a provider; its body is JSON unless its headers say otherwise.
package struct ProviderRequest: Sendable, Equatable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"

        fileprivate var hasBody: Bool { self == .post || self == .patch }
    }

    package let method: Method
    package let url: String
    /// Headers in addition to the body's own.
    package let headers: [String: String]
    package let body: [UInt8]
    /// Whether the receiver gets the trace of the current task. Only the operator's own servers do.
    package var passesTrace = false

    package init(_ method: Method = .post, url: String, headers: [String: String], body: [UInt8]) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// A provider's response.
package struct ProviderAnswer: Sendable, Equatable {
    package var status: Int
    /// The headers by name in lower case; of repeated ones the first.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Seconds until another attempt is accepted; `nil` if the response does not say.
    package var retryAfterSeconds: Int64? { headers["retry-after"].map { max(0, Int64($0) ?? 0) } }
}

/// The exchange over HTTP.
package struct HTTPProviderExchange: ProviderExchange {
    /// The maximum size of a response (integration guide 1.5).
    package static let answerBytesMax = 200 * 1024

    private let client: HTTPClient
    private let answerBytesMax: Int
    private let tls: TLSConfiguration?

    /// - Parameters:
    ///   - client: An HTTP client that does not follow redirects and has one event loop. If a request and its connection
    ///     had different loops, a connection that closes at the wrong moment would be returned twice, and the client's pool
    ///     would terminate the process.
    ///   - answerBytesMax: The maximum size of a response's body, above which the exchange fails.
    ///   - authorities: authorities that are trusted in addition to the system's.
    package init(
        client: HTTPClient, answerBytesMax: Int = Self.answerBytesMax, authorities: OwnAuthorities? = nil
    ) {
        self.client = client
        self.answerBytesMax = answerBytesMax
        tls = authorities?.tls
    }

    package func send(_ request: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer {
        var headers: HTTPHeaders = ["Accept-Encoding": "identity"]
        if request.method.hasBody { headers.add(name: "Content-Type", value: "application/json") }
        for (name, value) in request.headers { headers.replaceOrAdd(name: name, value: value) }
        var outgoing = try HTTPClient.Request(
            url: request.url, method: HTTPMethod(rawValue: request.method.rawValue), headers: headers,
            body: request.method.hasBody ? .bytes(request.body) : nil, tlsConfiguration: tls)
        let response = try await withClientSpan(request.method.rawValue) { span in
            span?.attributes[.method] = request.method.rawValue
            span?.attributes[.server] = outgoing.host
            if request.passesTrace {
                for (name, value) in TraceFields.current.lines { outgoing.headers.add(name: name, value: value) }
            }
            let response = try await execute(outgoing, within: limit)
            span?.attributes[.status] = Int64(response.status.code)
            return response
        }
        let fields = response.headers.map { ($0.name.lowercased(), $0.value) }
        return ProviderAnswer(
            status: Int(response.status.code), headers: Dictionary(fields) { first, _ in first },
            body: response.body.map { Array($0.readableBytesView) } ?? [])
    }

    private func execute(_ request: HTTPClient.Request, within limit: Duration) async throws -> HTTPClient.Response {
        let delegate = BoundedResponse(request, bytesMax: answerBytesMax)
        do {
            // The client's async API applies the deadline only until the head, so a trickled body would never end.
            return try await client.execute(
                request: request, delegate: delegate, deadline: .now() + TimeAmount(limit)
            ).get()
        } catch let error as AnswerTooLarge { throw error } catch {
            throw ConnectionFailure(of: error, hasBegun: delegate.hasBegun)
        }
    }
}

/// Runs `body` with an exchange of its own, whose connections are closed afterwards, or as soon as the task is cancelled.
///
/// - Parameters:
///   - answerBytesMax: The maximum size of a response's body.
///   - readSeconds: How long the server may send nothing.
package func withProviderExchange<Value>(
    answerBytesMax: Int, readSeconds: Int64, authorities: OwnAuthorities?,
    _ body: (any ProviderExchange) async throws -> Value
) async throws -> Value {
    let client = makeHTTPClient(connectionsMax: 1, readSeconds: readSeconds)
    let exchange = HTTPProviderExchange(client: client, answerBytesMax: answerBytesMax, authorities: authorities)
    let result: Result<Value, any Error>
    do {
        let value = try await withTaskCancellationHandler {
            try await body(exchange)
        } onCancel: {
            client.shutdown { _ in }
        }
        result = .success(value)
    } catch { result = .failure(error) }
    do { try await client.shutdown() } catch let error as HTTPClientError where error == .alreadyShutdown {}
    return try result.get()
}
