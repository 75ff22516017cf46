import Logging
import NIOCore
import NIOPosix
import Policies
import ServerNames
import ServiceKit
import Synchronization
import TestSupport

@testable import EdgeHTTP
@testable import GatewayCore

/// A server of the edge's data path on a free port, before one upstream or several.
struct LiveEdge: Sendable {
    let running: RunningServer
    let server: HTTPServer
    let address: SocketAddress
    /// Where it speaks TLS, if it does.
    var tlsAddress: SocketAddress? { running.tlsAddress }
    let group: UpstreamGroup
    let pools: EventLoopPools
    /// Holds back the answers of `/slow`.
    let gate: Gate
    private let begun: RequestCount
    private let refused: RequestCount

    /// Starts a server, runs `body`, stops the server on every path.
    static func run(
        upstreams: [String], check: HealthCheckRule? = nil, limits: ServerLimits = .untimed,
        upstreamLimits: UpstreamLimits = .untimed,
        upstreamTLS: UpstreamTLS? = nil, log: TestLog = TestLog(),
        budget: MemoryBudget = .unbounded, routes: [Route] = [], bodyBytesMax: Int? = nil, timeoutSeconds: Int64 = 60,
        totalSeconds: Int64? = nil, certificates: TLSCertificates? = nil,
        long: @escaping @Sendable (RequestHead) throws(HTTPViolation) -> LongPlan? = { _ throws(HTTPViolation) in nil },
        _ body: (LiveEdge) async throws -> Void
    ) async throws {
        let threads = MultiThreadedEventLoopGroup.singleton
        let group = UpstreamGroup(
            name: "app", endpoints: upstreams.compactMap(UpstreamEndpoint.init(url:)), check: check,
            limits: upstreamLimits, tls: upstreamTLS, names: .system(within: .seconds(60)), logger: log.logger)
        let pools = try await EventLoopPools.make(on: threads, budget: budget)
        let gate = Gate()
        let begun = RequestCount()
        let refused = RequestCount()
        let router = TestRouter(
            group: group, table: routes.isEmpty ? nil : RouteTable(routes, upstream: group), gate: gate, begun: begun,
            refused: refused, bodyBytesMax: bodyBytesMax, timeoutSeconds: timeoutSeconds, totalSeconds: totalSeconds,
            long: long)
        let server = HTTPServer(
            plain: EdgeListener(address: ListenAddress(host: "127.0.0.1", port: 0)),
            tls: certificates.map {
                TLSListener(EdgeListener(address: ListenAddress(host: "127.0.0.1", port: 0)), certificates: $0)
            }, group: threads, pools: pools,
            rules: EdgeRules(router: router, limits: limits), observer: SilentObserver(), isReady: { true },
            logger: Logger(label: "test"))
        let running = try await server.start()
        guard let address = running.address else { throw ChannelError.unknownLocalAddress }
        do {
            try await body(
                LiveEdge(
                    running: running, server: server, address: address, group: group, pools: pools, gate: gate,
                    begun: begun,
                    refused: refused))
        } catch {
            try await running.stop(within: .milliseconds(100))
            throw error
        }
        try await running.stop(within: .milliseconds(100))
    }

    /// How many requests have been decided.
    var begunCount: Int { begun.value.load(ordering: .relaxed) }

    /// How many bodies for `/echo` have been refused.
    var refusedBodyCount: Int { refused.value.load(ordering: .relaxed) }

    func client(reads: Bool = true, keepsHalf: Bool = false) async throws -> RawClient {
        try await RawClient.connect(to: address, reads: reads, keepsHalf: keepsHalf)
    }

    /// Sends one request on a connection of its own and returns all that came until its end.
    func answer(to request: String) async throws -> String {
        let client = try await client()
        await client.send(request)
        try await client.waitForEnd()
        return client.received
    }
}

extension ServerLimits {
    /// Limits that close no connection by time, so that a slow machine does not change the result of a test.
    static var untimed: ServerLimits {
        ServerLimits(
            headSeconds: 3_600, bodySeconds: 3_600, idleSeconds: 3_600, bytesPerSecondMin: 0, wholeBodySeconds: 3_600)
    }
}

extension UpstreamLimits {
    /// Limits that wait long for an upstream, so that a slow machine does not change the result of a test.
    static var untimed: UpstreamLimits {
        UpstreamLimits(
            idleSeconds: 3_600, waitMilliseconds: 60_000, connectMilliseconds: 60_000, handshakeMilliseconds: 60_000)
    }
}

/// Closed until somebody opens it.
final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)
    private let waiters = Atomic<Int>(0)

    var waiterCount: Int { waiters.load(ordering: .relaxed) }

    func open() { isOpen.store(true, ordering: .releasing) }
    func wait() async throws {
        waiters.add(1, ordering: .relaxed)
        try await eventually("the gate is open") { isOpen.load(ordering: .acquiring) }
    }
}

private final class RequestCount: Sendable {
    let value = Atomic<Int>(0)
}

/// `/own/…` is answered at once and `/endpoint/…` by an endpoint, both at length (`Padded`); `/echo` is an endpoint that
/// sends the body back, `/slow` one that waits for the gate, `/later` asks first, `/peer` tells who
/// is connected; all else is proxied, or all that a table of routes lets through.
private struct TestRouter: RequestRouter {
    let group: UpstreamGroup
    let table: RouteTable?
    let gate: Gate
    let begun: RequestCount
    let refused: RequestCount
    let bodyBytesMax: Int?
    let timeoutSeconds: Int64
    let totalSeconds: Int64?
    let long: @Sendable (RequestHead) throws(HTTPViolation) -> LongPlan?

    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest {
        begun.value.add(1, ordering: .relaxed)
        if let table {
            guard case .app = head.withPath({ table.match(head.method, $0, host: { nil }).match }) else {
                return RoutedRequest(
                    route: .other, disposition: .answer(Reply(status: 404, headers: [], body: Array("none".utf8))))
            }
            return RoutedRequest(route: .other, disposition: .proxy(plan(head)))
        }
        return RoutedRequest(route: .other, disposition: disposition(of: head, on: eventLoop))
    }

    private func disposition(of head: RequestHead, on eventLoop: any EventLoop) -> Disposition {
        let path = head.pathText
        switch path {
        case "/echo":
            return .endpoint(
                bodyBytesMax: 1000, bodyWasRefused: { [refused] in refused.value.add(1, ordering: .relaxed) },
                handler: { Reply(status: 200, headers: [("Content-Type", "text/plain")], body: $0.body) })
        case "/slow":
            return .endpoint(bodyBytesMax: 1000) { _ in
                do { try await gate.wait() } catch {
                    return Reply(status: 500, headers: [], body: [])
                }
                return Reply(status: 200, headers: [], body: Array("slow".utf8))
            }
        case "/peer": return .answer(Reply(status: 200, headers: [], body: Array(Self.words(on: head.peer).utf8)))
        case "/no": return .answer(Reply(status: 401, headers: [], body: Array("no".utf8)))
        case "/later": return .later(eventLoop.makeSucceededFuture(.proxy(plan(head))))
        case _ where path.hasPrefix("/own/"): return .answer(Padded.reply(to: path))
        case _ where path.hasPrefix("/endpoint/"):
            return .endpoint(bodyBytesMax: 1000) { _ in Padded.reply(to: path) }
        default: return proxy(head)
        }
    }

    private static func words(on peer: ClientPeer) -> String {
        let isProxy = peer.isProxy(among: [CIDR(around: IPAddress(ipv4: 0x7F00_0000), prefixLength: 8)])
        return "\(peer.scheme.rawValue) \(peer.text) \(isProxy ? "is a proxy" : "is the client")"
    }

    private func proxy(_ head: RequestHead) -> Disposition {
        do throws(HTTPViolation) { return .proxy(plan(head, try long(head))) } catch {
            return .answer(refusal(error, at: .other))
        }
    }

    private func plan(_ head: RequestHead, _ long: LongPlan? = nil) -> ProxyPlan {
        ProxyPlan(
            upstream: group, target: Array(head.target), clientAddress: "192.0.2.1",
            identityLines: Array("X-User-Id: usr_1\r\n".utf8), keepsAuthorization: false,
            bodyBytesMax: bodyBytesMax, timeoutSeconds: timeoutSeconds, totalSeconds: totalSeconds, long: long)
    }

    func refusal(_ violation: HTTPViolation, at route: RouteLabel) -> Reply {
        Reply(status: violation.status, headers: [], body: Array(violation.rawValue.utf8), closes: true)
    }

    func answerLines(for refused: RefusedHead) -> [UInt8] { [] }
    func upstreamFailure(_ failure: UpstreamFailure, at route: RouteLabel) -> Reply {
        let status =
            switch failure {
            case .timeout: 504
            case .overloaded: 503
            default: 502
            }
        return Reply(status: status, headers: [], body: Array(failure.rawValue.utf8))
    }

    func clientAddress(of head: RequestHead) -> String { "192.0.2.1" }
}

extension RouteTable {
    init(_ routes: [Policies.Route], upstream: UpstreamGroup) {
        self.init([], app: routes.map { AppRoute(policy: $0, upstream: upstream) })
    }
}

/// Answers of about eight kilobytes that name the path that was asked for.
enum Padded {
    static func body(_ path: String) -> String { "#\(path)#" + String(repeating: ".", count: 8000) }
    static func reply(to path: String) -> Reply { Reply(status: 404, headers: [], body: Array(body(path).utf8)) }

    /// The paths that are named in `text`, in order.
    static func paths(in text: String) -> [String] {
        text.split(separator: "#").filter { $0.hasPrefix("/") }.map(String.init)
    }
}

private struct SilentObserver: RequestObserver {
    func requestDidFinish(_ request: FinishedRequest) {}
    func requestWasRefused(_ violation: HTTPViolation, method: HTTPMethod?, at route: RouteLabel) {}
}
