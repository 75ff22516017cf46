package import NIOCore
import NIOPosix
import TestSupport

/// A request as the load generator sends it.
package struct LoadRequest: Sendable {
    package let method: String
    package let path: String
    package let headers: [(String, String)]
    package let body: [UInt8]
    /// Instead of the address that the connection leads to.
    package let host: String?

    package init(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8] = [], host: String? = nil
    ) {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
        self.host = host
    }
}

/// A whole answer.
package struct LoadAnswer: Sendable {
    package let status: Int
    /// The status line and all fields.
    let head: [UInt8]
    package let body: [UInt8]

    /// The value of the cookie that the answer sets by this name, at least one letter long.
    func cookie(_ name: String) -> [UInt8]? {
        JSONText.text(after: " \(name)=", until: UInt8(ascii: ";"), in: head)
    }
}

/// A failure below HTTP.
package enum LoadFailure: Error, Sendable {
    case closed
    case timedOut
    case tooLarge
    /// Not what one of our processes answers.
    case unreadable
}

/// A keep-alive connection to a port on loopback, over TLS or not; carries one request at a time.
package struct LoadConnection: Sendable {
    /// How long an answer may take, and a second.
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
    package static func open(
        port: Int, from address: String? = nil, tls: LoadTLS? = nil, roundTrip: TimeAmount? = nil
    ) async throws -> LoadConnection {
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(connectTimeout)
            .channelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let roundTrip { try channel.pipeline.syncOperations.addHandler(DistantNetwork(roundTrip)) }
                    if let tls { try channel.pipeline.syncOperations.addHandler(tls.handler()) }
                    try channel.pipeline.syncOperations.addHandler(ExchangeHandler())
                }
            }
        if let address { bootstrap = bootstrap.bind(to: try SocketAddress(ipAddress: address, port: 0)) }
        let channel = try await bootstrap.connect(host: "127.0.0.1", port: port).get()
        return LoadConnection(channel: channel, host: "127.0.0.1:\(port)")
    }

    /// Opens `count` connections.
    package static func open(_ count: Int, port: Int) async throws -> [LoadConnection] {
        var connections: [LoadConnection] = []
        for _ in 0..<count { connections.append(try await open(port: port)) }
        return connections
    }

    /// Sends a request and brings the whole answer.
    ///
    /// - Throws: `LoadFailure`, after which the connection is of no more use.
    package func send(_ request: LoadRequest) async throws -> LoadAnswer {
        let answer = channel.eventLoop.makePromise(of: LoadAnswer.self)
        channel.writeAndFlush(Exchange(request: request, host: request.host ?? host, answer: answer)).cascadeFailure(
            to: answer)
        return try await answer.futureResult.get()
    }

    package func close() async {
        // Closed by the other side already: as good.
        do { try await channel.close() } catch {}
    }
}

/// A request on its way and where its answer goes.
struct Exchange: Sendable {
    let request: LoadRequest
    let host: String
    let answer: EventLoopPromise<LoadAnswer>
}
