import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import ServerNames
import Synchronization
import TestSupport
import Testing

@testable import ServiceCalls

/// Names of services: their addresses are resolved again, also while connections are kept.
@Suite(.timeLimit(.minutes(5))) struct ServiceReplicasTests {
    /// The addresses of the names, and the time, both set by the test.
    private final class Surroundings: Sendable {
        let addresses = Mutex<[String: [String]]>([:])
        let passed = Mutex(Duration.zero)
        let lookUps = Atomic<Int>(0)
        private let start = ContinuousClock.now

        var names: ServerNames {
            ServerNames { [self] name in
                lookUps.add(1, ordering: .relaxed)
                guard let found = addresses.withLock({ $0[name] }) else { return .failure(.notFound("none")) }
                do { return .success(try found.map { try SocketAddress(ipAddress: $0, port: 0) }) } catch {
                    return .failure(.notFound("\(error)"))
                }
            }
        }

        var now: ContinuousClock.Instant { start + passed.withLock { $0 } }

        func set(_ name: String, _ found: [String]?) { addresses.withLock { $0[name] = found } }
        func pass(_ time: Duration) { passed.withLock { $0 += time } }
    }

    /// The open connections and the answered requests of a server.
    private final class Counts: Sendable {
        let open = Atomic<Int>(0)
        let answered = Atomic<Int>(0)
    }

    private final class Answers: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let counts: Counts

        init(_ counts: Counts) { self.counts = counts }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            counts.answered.add(1, ordering: .relaxed)
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    /// Starts a server that answers every request.
    private func serve(_ host: String, port: Int) async throws -> (Counts, any Channel) {
        let counts = Counts()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                counts.open.add(1, ordering: .relaxed)
                channel.closeFuture.whenComplete { _ in counts.open.subtract(1, ordering: .relaxed) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Answers(counts))
                }
            }
            .bind(host: host, port: port).get()
        return (counts, channel)
    }

    private func withReplicas(
        _ urls: [String], _ surroundings: Surroundings, _ body: (ServiceReplicas) async throws -> Void
    ) async throws {
        let client = makeHTTPClient()
        do {
            try await body(
                ServiceReplicas(urls, client: client, names: surroundings.names) { surroundings.now })
            try await client.shutdown()
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    private func call(_ replica: ServiceReplicas.Replica) async throws {
        let request = try HTTPClient.Request(url: replica.baseURL + "/")
        let response = try await replica.client.execute(request, bytesMax: 100, deadline: .now() + .seconds(5))
        #expect(response.status == .ok)
    }

    @Test func `a kept connection to an address that the name no longer has is closed, and the new one is used`()
        async throws
    {
        let surroundings = Surroundings()
        let port = try await FreePort.find()
        let (first, channel) = try await serve("127.0.0.1", port: port)
        let (second, secondChannel) = try await serve("127.0.0.2", port: port)
        surroundings.set("token.test", ["127.0.0.1"])
        try await withReplicas(["http://token.test:\(port)"], surroundings) { replicas in
            try await call(try #require(await replicas.inTurn(0).first))
            #expect(first.answered.load(ordering: .relaxed) == 1)
            #expect(first.open.load(ordering: .relaxed) == 1)
            surroundings.set("token.test", ["127.0.0.2"])
            surroundings.pass(.seconds(5))
            try await call(try #require(await replicas.inTurn(0).first))
            #expect(second.answered.load(ordering: .relaxed) == 1)
            try await eventually("the connection to the former address is closed") {
                first.open.load(ordering: .relaxed) == 0
            }
            #expect(first.answered.load(ordering: .relaxed) == 1)
        }
        try await channel.close()
        try await secondChannel.close()
    }

    @Test func `addresses are kept for 2.5 s, then resolved behind the calls, and awaited when they are 5 s old`()
        async throws
    {
        let surroundings = Surroundings()
        surroundings.set("a", ["127.0.0.1"])
        try await withReplicas(["http://a:1"], surroundings) { replicas in
            func addresses() async -> [String?] { await replicas.inTurn(0).map { $0.address?.ipAddress } }
            #expect(await addresses() == ["127.0.0.1"])
            surroundings.set("a", ["127.0.0.2", "127.0.0.3"])
            surroundings.pass(.milliseconds(2_400))
            #expect(await addresses() == ["127.0.0.1"])
            surroundings.pass(.milliseconds(100))
            #expect(await addresses() == ["127.0.0.1"])
            try await eventually("the new addresses") { await addresses() == ["127.0.0.2", "127.0.0.3"] }
            surroundings.set("a", ["127.0.0.4"])
            surroundings.pass(.seconds(5))
            #expect(await addresses() == ["127.0.0.4"])
        }
    }

    @Test func `a name that does not exist leaves the others, and all stay while none is resolved`() async throws {
        let surroundings = Surroundings()
        surroundings.set("a", ["127.0.0.1"])
        surroundings.set("b", ["127.0.0.2"])
        try await withReplicas(["http://a:1", "http://b:1", "http://127.0.0.9:1"], surroundings) { replicas in
            func urls() async -> [String] { await replicas.inTurn(0).map(\.baseURL) }
            #expect(await urls() == ["http://a:1", "http://b:1", "http://127.0.0.9:1"])
            surroundings.set("a", nil)
            surroundings.pass(.seconds(5))
            #expect(await urls() == ["http://b:1", "http://127.0.0.9:1"])
        }
        try await withReplicas(["http://a:1", "http://b:1"], surroundings) { replicas in
            func urls() async -> [String] { await replicas.inTurn(0).map(\.baseURL) }
            #expect(await urls() == ["http://b:1"])
            surroundings.set("b", nil)
            surroundings.pass(.seconds(5))
            #expect(await urls() == ["http://b:1"])
        }
    }

    @Test func `calls take turns, and an address that accepted no connection is tried last for 5 s`() async throws {
        let surroundings = Surroundings()
        surroundings.set("a", ["127.0.0.1", "127.0.0.2", "127.0.0.3"])
        try await withReplicas(["http://a:1"], surroundings) { replicas in
            func addresses(_ turn: UInt) async -> [String?] {
                await replicas.inTurn(turn).map { $0.address?.ipAddress }
            }
            #expect(await addresses(0) == ["127.0.0.1", "127.0.0.2", "127.0.0.3"])
            #expect(await addresses(4) == ["127.0.0.2", "127.0.0.3", "127.0.0.1"])
            await replicas.inTurn(0)[0].client.note(isRefusing: true)
            #expect(await addresses(0) == ["127.0.0.2", "127.0.0.3", "127.0.0.1"])
            #expect(await addresses(2) == ["127.0.0.3", "127.0.0.2", "127.0.0.1"])
            surroundings.pass(.seconds(6))
            #expect(await addresses(0) == ["127.0.0.1", "127.0.0.2", "127.0.0.3"])
        }
    }

    @Test(arguments: [
        ("http://a:8081", "a", 8081), ("https://a.b/x", "a.b", 443), ("http://[::1]:9", "::1", 9),
        ("http://a", "a", 80),
    ]) func `the host and port of a URL are read`(url: String, host: String, port: Int) throws {
        let parts = try #require(ServiceAuthority.parts(of: url))
        #expect(parts.host == host && parts.port == port)
    }
}
