import Logging
import NIOCore
import NIOPosix
import ServiceKit
import Synchronization
import TestSupport

@testable import GatewayCore

/// A server of the edge's data path on a free port, before one upstream or several.
struct LiveEdge: Sendable {
    let running: RunningServer
    let address: SocketAddress
    let group: UpstreamGroup
    let pools: EventLoopPools
    /// Holds back the answers of `/slow`.
    let gate: Gate

    /// Starts a server, runs `body`, stops the server on every path.
    static func run(
        upstreams: [String], limits: ServerLimits = .init(), upstreamLimits: UpstreamLimits = .init(),
        bodyBytesMax: Int? = nil, timeoutSeconds: Int64 = 10, _ body: (LiveEdge) async throws -> Void
    ) async throws {
        let threads = MultiThreadedEventLoopGroup.singleton
        let group = UpstreamGroup(
            name: "app", endpoints: upstreams.compactMap(UpstreamEndpoint.init(url:)), limits: upstreamLimits)
        let pools = try await EventLoopPools.make(on: threads)
        let gate = Gate()
        let server = HTTPServer(
            address: ListenAddress(host: "127.0.0.1", port: 0), inheritedSocket: nil, group: threads, pools: pools,
            router: TestRouter(group: group, gate: gate, bodyBytesMax: bodyBytesMax, timeoutSeconds: timeoutSeconds),
            limits: limits, observer: SilentObserver(), isReady: { true }, logger: Logger(label: "test"))
        let running = try await server.start()
        guard let address = running.address else { throw ChannelError.unknownLocalAddress }
        do {
            try await body(LiveEdge(running: running, address: address, group: group, pools: pools, gate: gate))
        } catch {
            try await running.stop(within: .milliseconds(100))
            throw error
        }
        try await running.stop(within: .milliseconds(100))
    }

    func client(reads: Bool = true) async throws -> RawClient { try await RawClient.connect(to: address, reads: reads) }

    /// Sends one request on a connection of its own and returns all that came until its end.
    func answer(to request: String) async throws -> String {
        let client = try await client()
        await client.send(request)
        try await client.waitForEnd()
        return client.received
    }
}

/// Closed until somebody opens it.
final class Gate: Sendable {
    private let isOpen = Atomic<Bool>(false)

    func open() { isOpen.store(true, ordering: .releasing) }
    func wait() async throws { try await eventually("the gate is open") { isOpen.load(ordering: .acquiring) } }
}

/// `/echo` is an endpoint that sends the body back, `/slow` one that waits for the gate, `/later` asks first; all else is
/// proxied.
private struct TestRouter: RequestRouter {
    let group: UpstreamGroup
    let gate: Gate
    let bodyBytesMax: Int?
    let timeoutSeconds: Int64

    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest {
        RoutedRequest(route: .other, disposition: disposition(of: head, on: eventLoop))
    }

    private func disposition(of head: RequestHead, on eventLoop: any EventLoop) -> Disposition {
        switch head.pathText {
        case "/echo":
            return .endpoint(bodyBytesMax: 1000) { request in
                Reply(status: 200, headers: [("Content-Type", "text/plain")], body: request.body)
            }
        case "/slow":
            return .endpoint(bodyBytesMax: 1000) { _ in
                do { try await gate.wait() } catch {
                    return Reply(status: 500, headers: [], body: [])
                }
                return Reply(status: 200, headers: [], body: Array("slow".utf8))
            }
        case "/no": return .answer(Reply(status: 401, headers: [], body: Array("no".utf8)))
        case "/later": return .later(eventLoop.makeSucceededFuture(.proxy(plan(head))))
        default: return .proxy(plan(head))
        }
    }

    private func plan(_ head: RequestHead) -> ProxyPlan {
        ProxyPlan(
            upstream: group, target: Array(head.target), clientAddress: "192.0.2.1",
            identityLines: Array("X-User-Id: usr_1\r\n".utf8), keepsAuthorization: false,
            bodyBytesMax: bodyBytesMax, timeoutSeconds: timeoutSeconds)
    }

    func refusal(_ violation: HTTPViolation) -> Reply {
        Reply(status: violation.status, headers: [], body: Array(violation.rawValue.utf8), closes: true)
    }

    func upstreamFailure(_ failure: UpstreamFailure) -> Reply {
        Reply(status: failure == .timeout ? 504 : 502, headers: [], body: Array(failure.rawValue.utf8))
    }

    func clientAddress(of head: RequestHead) -> String { "192.0.2.1" }
}

private struct SilentObserver: RequestObserver {
    func requestDidFinish(_ request: FinishedRequest) {}
    func requestWasRefused(_ violation: HTTPViolation) {}
}
