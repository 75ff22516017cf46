import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOSSL
package import StrictJSON

/// An answer as a test looks at it.
package struct HTTPAnswer: Sendable {
    package let status: Int
    /// Names in lower case; of several fields of one name the last.
    package let headers: [String: String]
    package let body: [UInt8]
    /// The values of `Set-Cookie`, in their order.
    package let cookies: [String]

    package init(status: Int, headers: [String: String], body: [UInt8], cookies: [String] = []) {
        self.status = status
        self.headers = headers
        self.body = body
        self.cookies = cookies
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON, read strictly.
    package var json: JSONValue {
        get throws { try StrictJSON.parse(body, limits: .init(bytesMax: 1 << 20, depthMax: 32)) }
    }

    /// The body as `type`.
    package func decoded<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body))
    }
}

/// Sends requests to one base URL; follows no redirects.
package struct TestHTTPClient: Sendable {
    private static let answerBytesMax = 4 << 20
    /// Together five seconds: what lasts longer is an outage, and the test's to see.
    private static let (repeatsMax, repeatPause) = (50, Duration.milliseconds(100))

    package let base: String
    private let client: HTTPClient
    private var timeout = Patience.limit
    private var observer: (@Sendable (HTTPAnswer) -> Void)?
    /// Whether `get` with a token is repeated after a 503 with `Retry-After`, as apps do. A gateway that hears nothing of Redis for
    /// 100 ms answers so, which happens on any busy machine. `send` is never repeated.
    private var repeatsUnavailable = false

    /// One client for all; the shared one of the library would follow redirects.
    private static let shared: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.redirectConfiguration = .disallow
        // HTTP/2 is tested by curl and raw frames. This client fails a request that meets the end of its connection.
        configuration.httpVersion = .http1Only
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    package init(base: String) { self.init(base: base, client: Self.shared) }

    private init(base: String, client: HTTPClient) {
        self.base = base
        self.client = client
    }

    /// Returns a client over the same connections whose every answer `observer` sees.
    package func observed(by observer: @escaping @Sendable (HTTPAnswer) -> Void) -> TestHTTPClient {
        var client = self
        client.observer = observer
        return client
    }

    /// Returns a client over the same connections that waits no longer for a response.
    package func limited(to timeout: Duration) -> TestHTTPClient {
        var client = self
        client.timeout = timeout
        return client
    }

    /// A client over the same connections that behaves as an app does when the server is busy.
    package var asApp: TestHTTPClient {
        var client = self
        client.repeatsUnavailable = true
        return client
    }

    /// Runs `body` with a client for the same server that has so many connections of its own; the others share 8.
    ///
    /// - Parameter authority: The PEM file of the authority that it trusts, over https; `nil` means the system's.
    package func withConnections<Value>(
        _ count: Int, trusting authority: String? = nil, _ body: (TestHTTPClient) async throws -> Value
    ) async throws -> Value {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        if let authority {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authority)
            configuration.tlsConfiguration = tls
        }
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = count
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(TestHTTPClient(base: base, client: client))
            try await client.shutdown()
            return value
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    /// Sends one request and reads the whole answer, whatever its status.
    ///
    /// - Parameter isChunked: Whether the body is sent in chunks, without its length.
    package func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8]? = nil,
        isChunked: Bool = false
    ) async throws -> HTTPAnswer {
        var request = HTTPClientRequest(url: base + path)
        request.method = .init(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body {
            let pieces = AsyncStream { stream in
                stream.yield(ByteBuffer(bytes: body))
                stream.finish()
            }
            request.body = isChunked ? .stream(pieces, length: .unknown) : .bytes(body)
        }
        let response = try await client.execute(request, timeout: TimeAmount(timeout))
        let answer = try await response.body.collect(upTo: Self.answerBytesMax)
        let result = HTTPAnswer(
            status: Int(response.status.code),
            headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 },
            body: Array(answer.readableBytesView), cookies: response.headers["set-cookie"])
        observer?(result)
        return result
    }

    package func get(_ path: String, bearer token: String? = nil) async throws -> HTTPAnswer {
        var answer = try await send("GET", path, headers: authorization(token))
        // An observed client passes on every answer, a 503 too.
        guard repeatsUnavailable, observer == nil, token != nil else { return answer }
        for _ in 0..<Self.repeatsMax where answer.status == 503 && answer.headers["retry-after"] != nil {
            try await Task.sleep(for: Self.repeatPause)
            answer = try await send("GET", path, headers: authorization(token))
        }
        return answer
    }

    /// Posts a body given as JSON text.
    package func post(_ path: String, _ json: String, bearer token: String? = nil) async throws -> HTTPAnswer {
        try await send(
            "POST", path, headers: authorization(token) + [("Content-Type", "application/json")], body: Array(json.utf8)
        )
    }

    /// Posts the JSON of `value`.
    package func post(
        _ path: String, encoding value: some Encodable, headers: [(String, String)] = []
    ) async throws -> HTTPAnswer {
        try await send(
            "POST", path, headers: headers + [("Content-Type", "application/json")],
            body: Array(try JSONEncoder().encode(value)))
    }

    private func authorization(_ token: String?) -> [(String, String)] {
        token.map { [("Authorization", "Bearer \($0)")] } ?? []
    }
}
