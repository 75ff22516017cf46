import NIOCore
import NIOHTTP1
import NIOPosix
import StrictJSON
import TestSupport

/// A request as the load generator sends it.
struct LoadRequest: Sendable {
    let method: String
    let path: String
    let headers: [(String, String)]
    let body: [UInt8]
    /// Instead of the address that the connection leads to.
    let host: String?

    init(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8] = [], host: String? = nil
    ) {
        (self.method, self.path, self.headers, self.body, self.host) = (method, path, headers, body, host)
    }

    static func get(_ path: String, bearer: String? = nil) -> LoadRequest {
        LoadRequest("GET", path, headers: bearer.map { [("Authorization", "Bearer \($0)")] } ?? [])
    }

    /// A request with JSON, as an app sends it.
    static func post(
        _ path: String, _ body: some Encodable, headers: [(String, String)] = []
    ) throws -> LoadRequest {
        LoadRequest("POST", path, headers: app + headers, body: try StrictJSON.encode(body))
    }

    static let app = [("Content-Type", "application/json"), ("User-Agent", "HowRU/2.1 (iPhone; iOS 19.0)")]
}

/// A whole answer.
struct LoadAnswer: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: [UInt8]

    /// The value of the cookie that the answer sets by this name.
    func cookie(_ name: String) -> String? {
        headers["Set-Cookie"].first { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1).prefix { $0 != ";" }) }
    }

    /// The body, which has to come with this status.
    func decoded<Reply: Decodable>(_ type: Reply.Type, of request: String, status: Int = 200) throws -> Reply {
        guard self.status == status else { throw UnexpectedReply(description: "\(request): \(self.status)") }
        return try StrictJSON.decode(type, from: body, limits: .own)
    }
}

/// A failure below HTTP.
enum LoadFailure: Error, Sendable {
    case closed
    case timedOut
    case tooLarge
}

/// An answer or a fact that no measurement can go on with; names no number, code or token.
struct UnexpectedReply: Error, CustomStringConvertible {
    let description: String
}

/// A keep-alive connection to a port on loopback, over TLS or not; carries one request at a time.
struct LoadConnection: Sendable {
    /// How long an answer may take.
    static let answerTimeout = TimeAmount(Patience.limit)
    private static let connectTimeout: TimeAmount = .seconds(2)

    private let channel: any Channel
    private let host: String
    /// The origin of the pages of the other side (RFC 6454).
    var origin: String { "http://\(host)" }

    /// - Parameters:
    ///   - address: of the loopback, from which it comes; nil for the kernel's choice.
    ///   - tls: nil for a plain connection. A handshake that fails shows with the first request.
    ///   - roundTrip: how far away it seems to be, beside the loopback's own time.
    static func open(
        port: Int, from address: String? = nil, tls: LoadTLS? = nil, roundTrip: TimeAmount? = nil
    ) async throws -> LoadConnection {
        let channel = try await channel(to: port, from: address, connectTimeout) { channel in
            if let roundTrip { try channel.pipeline.syncOperations.addHandler(DistantNetwork(roundTrip)) }
            if let tls { try channel.pipeline.syncOperations.addHandler(tls.handler()) }
            try channel.pipeline.syncOperations.addHTTPClientHandlers()
            try channel.pipeline.syncOperations.addHandler(ExchangeHandler())
        }.get()
        return LoadConnection(channel: channel, host: "127.0.0.1:\(port)")
    }

    /// Begins to connect to a port of the loopback.
    static func channel(
        to port: Int, from address: String? = nil, _ timeout: TimeAmount = .seconds(5),
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        options: (ClientBootstrap) -> ClientBootstrap = { $0 },
        _ prepare: @escaping @Sendable (any Channel) throws -> Void
    ) throws -> EventLoopFuture<any Channel> {
        var bootstrap = options(ClientBootstrap(group: group)).connectTimeout(timeout)
            .channelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try prepare(channel) } }
        if let address { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: address, port: 0)) }
        return bootstrap.connect(host: "127.0.0.1", port: port)
    }

    /// Whether the other side has not closed it.
    var isOpen: Bool { channel.isActive }

    /// Runs `body` with so many connections, and closes them on every path.
    static func with<Value: Sendable>(
        _ count: Int, port: Int, _ body: ([LoadConnection]) async throws -> Value
    ) async throws -> Value {
        var connections: [LoadConnection] = []
        for _ in 0..<count { connections.append(try await open(port: port)) }
        let opened = connections
        return try await finally {
            try await body(opened)
        } end: {
            for connection in opened { await connection.close() }
        }
    }

    /// Sends a request and brings the whole answer.
    ///
    /// - Throws: `LoadFailure`, after which the connection is of no more use.
    func send(_ request: LoadRequest) async throws -> LoadAnswer {
        let answer = channel.eventLoop.makePromise(of: LoadAnswer.self)
        channel.writeAndFlush(Exchange(request: request, host: request.host ?? host, answer: answer)).cascadeFailure(
            to: answer)
        return try await answer.futureResult.get()
    }

    func send(_ request: LoadRequest, expecting status: Int) async throws {
        let answer = try await send(request)
        guard answer.status == status else {
            throw UnexpectedReply(description: "\(request.method) \(request.path): \(answer.status)")
        }
    }

    func close() async {
        // Closed by the other side already: as good.
        do { try await channel.close() } catch {}
    }
}
