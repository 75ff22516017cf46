import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import EdgeHTTP

/// Clients that take nothing while their request's connection to the upstream is still being made.
@Suite(.timeLimit(.minutes(5))) struct ProxyBackPressureTests {
    private static let bodyBytes = 64 << 20

    @Test func `of an answer that its client does not take nothing is read, and all once it does`() async throws {
        try await withCarrier(.stream(byteCount: Self.bodyBytes)) { carrier, upstream in
            try await carrier.begin()
            try await eventually("the request is there") { upstream.requests.count == 1 }
            try await Task.sleep(for: .milliseconds(300))
            #expect(carrier.writtenBytes < 1 << 20)
            try await carrier.take()
            try await eventually("all of it") { carrier.writtenBytes == Self.bodyBytes }
        }
    }

    @Test func `a client that takes again before there is a connection leaves the upstream a deadline`() async throws {
        try await withCarrier(.nothing, timeoutSeconds: 1) { carrier, _ in
            try await carrier.begin(thenTakes: true)
            try await eventually("the upstream's time is over") { carrier.repliedStatus == 504 }
        }
    }

    private func withCarrier(
        _ action: RecordingUpstream.Action, timeoutSeconds: Int64 = 60,
        _ body: (UnreadCarrier.Handle, RecordingUpstream) async throws -> Void
    ) async throws {
        let upstream = try await RecordingUpstream.start { _, _ in action }
        let carrier = try await UnreadCarrier.Handle.make(before: upstream.endpoint, timeoutSeconds)
        try await body(carrier, upstream)
        try await carrier.end()
        await upstream.stop()
    }
}

/// Carries one proxied exchange for a client that takes nothing until it is told to.
private final class UnreadCarrier: ExchangeOutput {
    /// The part of it that other threads may use.
    struct Handle: Sendable {
        private let loop: any EventLoop
        private let carrier: NIOLoopBound<UnreadCarrier>
        private let counts: Counts

        static func make(before endpoint: String, _ timeoutSeconds: Int64) async throws -> Handle {
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let (log, counts) = (TestLog(), Counts())
            let group = UpstreamGroup(
                name: "app", endpoints: [endpoint].compactMap(UpstreamEndpoint.init(url:)), limits: .init(), tls: nil,
                logger: log.logger)
            let carrier = try await loop.submit {
                NIOLoopBound(
                    UnreadCarrier(loop, Router(group: group, timeoutSeconds: timeoutSeconds), counts), eventLoop: loop)
            }.get()
            return Handle(loop: loop, carrier: carrier, counts: counts)
        }

        var writtenBytes: Int { counts.writtenBytes.load(ordering: .relaxed) }
        var repliedStatus: Int { counts.repliedStatus.load(ordering: .relaxed) }

        /// Begins the request; `thenTakes`: the client takes again while it waits for its connection.
        func begin(thenTakes: Bool = false) async throws {
            let head = try HeadParsing.head("GET /answer HTTP/1.1\r\nHost: a\r\n\r\n")
            try await loop.submit { [carrier] in
                try carrier.value.exchange.begin(head)
                if thenTakes { carrier.value.take() }
            }.get()
        }

        func take() async throws { try await loop.submit { [carrier] in carrier.value.take() }.get() }
        func end() async throws { try await loop.submit { [carrier] in carrier.value.exchange.end() }.get() }
    }

    final class Counts: Sendable {
        let writtenBytes = Atomic(0)
        let repliedStatus = Atomic(0)
    }

    let exchange: Exchange
    private let counts: Counts
    private(set) var takesAnswers = false

    init(_ loop: any EventLoop, _ router: Router, _ counts: Counts) {
        self.counts = counts
        var seed = SystemRandomNumberGenerator()
        let timer = DeadlineTimer(eventLoop: loop)
        exchange = Exchange(
            ExchangeContext(
                rules: LoopRules(EdgeRules(router: router, limits: ServerLimits())), observer: Observer(),
                bodyLimits: BodyLimits(pieceSeconds: 10, wholeSeconds: 30),
                pools: LoopPools(eventLoop: loop, name: "0", budget: .unbounded), eventLoop: loop,
                timer: timer),
            ids: IdentifierSource(seededFrom: &seed))
        exchange.attach(to: self)
        timer.onExpiry = { [exchange] in exchange.deadlineDidPass(lacksBody: false) }
    }

    func take() {
        takesAnswers = true
        exchange.clientWritabilityDidChange(true)
    }

    func askForBody() {}
    func exchangeDidMove() {}
    func exchangeDidFail(_ violation: HTTPViolation) {}
    func write(_ reply: Reply, as frame: AnswerFrame) { counts.repliedStatus.store(reply.status, ordering: .relaxed) }
    func announce(_ interim: ResponseHead) {}
    func beginAnswer(_ head: ResponseHead, plan: ProxyPlan, as frame: AnswerFrame) {}
    func writeAnswer(_ data: ByteBuffer) { counts.writtenBytes.add(data.readableBytes, ordering: .relaxed) }
    func pauseAnswer() {}
    func endAnswer() {}
    func abort() {}
}

private struct Observer: RequestObserver {
    func requestDidFinish(_ request: FinishedRequest) {}
    func requestWasRefused(_ violation: HTTPViolation, method: HTTPMethod?, at route: RouteLabel) {}
}

private struct Router: RequestRouter {
    let group: UpstreamGroup
    /// The upstream's time for the first byte of its answer.
    let timeoutSeconds: Int64

    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest {
        let plan = ProxyPlan(
            upstream: group, target: Array(head.target), clientAddress: "192.0.2.1", identityLines: [],
            keepsAuthorization: false, bodyBytesMax: nil, timeoutSeconds: timeoutSeconds, totalSeconds: nil)
        return RoutedRequest(route: .other, disposition: .proxy(plan))
    }

    func refusal(_ violation: HTTPViolation, at route: RouteLabel) -> Reply {
        Reply(status: violation.status, headers: [], body: [], closes: true)
    }
    func answerLines(for refused: RefusedHead) -> [UInt8] { [] }
    func upstreamFailure(_ failure: UpstreamFailure, at route: RouteLabel) -> Reply {
        Reply(status: failure == .timeout ? 504 : 502, headers: [], body: [])
    }
    func clientAddress(of head: RequestHead) -> String { "192.0.2.1" }
}
