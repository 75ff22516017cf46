import NIOCore
import NIOEmbedded
import Synchronization
import Testing
import Tracing

@testable import EdgeHTTP
@testable import Spans

/// An exchange without a connection: whatever carries one sees and does no more than `ExchangeOutput` says.
@Suite struct CarriedExchangeTests {
    private func head(_ text: String) throws -> RequestHead { try HeadParsing.head(text) }

    private let get = "GET /answer HTTP/1.1\r\nHost: a\r\n\r\n"
    private let post = "POST /endpoint HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n"

    private static let unread = RefusedHead(ByteBuffer(), from: .none)

    @Test func `an answer is written with what its request asks for, and told of`() throws {
        let carrier = Carrier()
        try carrier.exchange.begin(head(get))
        #expect(carrier.written.map(\.status) == [200] && carrier.frames.map(\.lines) == [Array("A: b\r\n".utf8)])
        #expect(carrier.observed.isEmpty && carrier.exchange.bodyDemand == .none)
        carrier.exchange.finish()
        #expect(carrier.observed == ["200"])
    }

    @Test func `one exchange after the other`() throws {
        let carrier = Carrier()
        for _ in 0..<3 {
            try carrier.exchange.begin(head(get))
            carrier.exchange.finish()
        }
        #expect(carrier.written.count == 3 && carrier.observed == ["200", "200", "200"])
        #expect(Set(carrier.frames.map(\.id.text)).count == 3)
    }

    @Test func `a length that is too large is thrown before anybody asks for the body`() throws {
        let carrier = Carrier(bodyBytesMax: 5)
        #expect(throws: HTTPViolation.bodyTooLarge) { try carrier.exchange.begin(head(post)) }
        #expect(!carrier.hasAskedForBody)
    }

    @Test func `a body that grows too large is thrown`() throws {
        let carrier = Carrier(bodyBytesMax: 5)
        try carrier.exchange.begin(
            head("POST /endpoint HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"))
        #expect(carrier.exchange.bodyDemand == .wanted && carrier.hasAskedForBody)
        try carrier.exchange.bodyDidArrive(ByteBuffer(string: "abcde"), isLast: false)
        #expect(throws: HTTPViolation.bodyTooLarge) {
            try carrier.exchange.bodyDidArrive(ByteBuffer(string: "f"), isLast: true)
        }
    }

    @Test func `a refusal is no request, and only written where there is place for it`() throws {
        let carrier = Carrier()
        try carrier.exchange.begin(head(post))
        carrier.exchange.refuse(.bodyTimeout, Self.unread, isAnswerPossible: true)
        carrier.exchange.finish()
        #expect(carrier.written.map(\.status) == [408] && carrier.observed == ["bodyTimeout"])
        try carrier.exchange.begin(head(post))
        carrier.exchange.refuse(.badChunk, Self.unread, isAnswerPossible: false)
        #expect(carrier.written.count == 1 && carrier.observed.last == "badChunk")
    }

    @Test func `a body that is late is told to the carrier`() throws {
        let carrier = Carrier()
        try carrier.exchange.begin(head(post))
        carrier.exchange.deadlineDidPass(lacksBody: true)
        #expect(carrier.failures == [.bodyTimeout])
    }

    @Test func `a client that leaves is 499, and what was asked for it is nobody's`() throws {
        let carrier = Carrier()
        let asked = carrier.loop.makePromise(of: Disposition.self)
        carrier.asked.future.withLock { $0 = asked.futureResult }
        try carrier.exchange.begin(head(get))
        #expect(carrier.exchange.bodyDemand == .none && carrier.written.isEmpty)
        carrier.exchange.end()
        asked.succeed(.answer(Reply(status: 200, headers: [], body: [])))
        carrier.loop.run()
        #expect(carrier.written.isEmpty && carrier.observed == ["499"])
    }

    @Test func `what was asked first is answered then`() throws {
        let carrier = Carrier()
        let asked = carrier.loop.makePromise(of: Disposition.self)
        carrier.asked.future.withLock { $0 = asked.futureResult }
        try carrier.exchange.begin(head(get))
        asked.succeed(.answer(Reply(status: 403, headers: [], body: [])))
        carrier.loop.run()
        #expect(carrier.written.map(\.status) == [403] && carrier.moveCount == 1)
    }

    @Test func `for lack of room a request is told 503`() throws {
        let carrier = Carrier()
        try carrier.exchange.begin(head(post))
        #expect(carrier.exchange.giveUpForLackOfRoom(Self.unread).reply.status == 503)
        carrier.exchange.end()
        #expect(carrier.observed == ["503"])
    }

    // MARK: - Traces

    private static let client = (trace: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7")

    private func get(flag: String) throws -> RequestHead {
        let value = "00-\(Self.client.trace)-\(Self.client.span)-\(flag)"
        return try head("GET /answer HTTP/1.1\r\nHost: a\r\ntraceparent: \(value)\r\n\r\n")
    }

    @Test func `a traced request has one span, however it ends`() throws {
        let queue = SpanQueue()
        try withTracer(SpanTracer(queue)) {
            let carrier = Carrier(traceOneIn: 1)
            try carrier.exchange.begin(head(get))
            carrier.exchange.finish()
            try carrier.exchange.begin(head(post))
            carrier.exchange.refuse(.bodyTimeout, Self.unread, isAnswerPossible: true)
            carrier.exchange.finish()
            try carrier.exchange.begin(head(post))
            carrier.exchange.end()
        }
        let spans = try #require(queue.takeBatch())
        #expect(spans.map(\.name) == ["GET other", "POST other", "POST other"])
        #expect(spans.map { $0.attributes.get("http.response.status_code") } == [200, 408, 499].map { .int64($0) })
        #expect(spans.allSatisfy { $0.parentID == 0 } && Set(spans.map(\.identity.traceID)).count == 3)
    }

    @Test func `a request that begins in the task of a traced one is not in its trace`() throws {
        CurrentTrace.beginExport()
        var other = InstrumentationContext.topLevel
        other.spanIdentity = SpanIdentity(newTrace: 1, 2)
        let carrier = Carrier()
        try InstrumentationContext.$current.withValue(other) {
            try carrier.exchange.begin(head(get))
            carrier.exchange.finish()
        }
        #expect(carrier.seenTraces == [nil, nil])
    }

    @Test func `a span and what is logged at its end name the version and the trace`() throws {
        CurrentTrace.beginExport()
        let queue = SpanQueue()
        try withTracer(SpanTracer(queue)) {
            let carrier = Carrier(traceOneIn: 1)
            var head = try get(flag: "01")
            for isHTTP2 in [false, true] {
                head.isHTTP2 = isHTTP2
                try carrier.exchange.begin(head)
                carrier.exchange.finish()
            }
            #expect(carrier.seenTraces == Array(repeating: Self.client.trace, count: 4))
        }
        let versions = try #require(queue.takeBatch()).map { $0.attributes.get("network.protocol.version") }
        #expect(versions == [.string("1.1"), .string("2")])
    }

    @Test(arguments: ["00", "01"]) func `a client's trace goes on, and its flag decides nothing`(flag: String) throws {
        let queue = SpanQueue()
        try withTracer(SpanTracer(queue)) {
            for oneIn: Int64 in [0, 1] {
                let carrier = Carrier(traceOneIn: oneIn)
                try carrier.exchange.begin(get(flag: flag))
                carrier.exchange.finish()
                #expect(queue.count == oneIn)
            }
        }
        let span = try #require(queue.takeBatch()?.first)
        #expect(span.identity.traceID == Self.client.trace)
        #expect(SpanIdentity.hex(span.parentID) == Self.client.span)
    }

    @Test func `about one in four requests is traced`() throws {
        let queue = SpanQueue()
        try withTracer(SpanTracer(queue)) {
            let carrier = Carrier(traceOneIn: 4)
            for _ in 0..<4_000 {
                try carrier.exchange.begin(get(flag: "01"))
                carrier.exchange.finish()
            }
        }
        // Ten standard deviations.
        #expect((726...1_274).contains(queue.count), "\(queue.count)")
    }
}

/// Carries exchanges to nowhere, and remembers what it was told.
private final class Carrier: ExchangeOutput {
    let loop = EmbeddedEventLoop()
    let asked: AskedBox
    let rules: LoopRules
    private let observer: Observer
    let exchange: Exchange
    private(set) var written: [Reply] = []
    private(set) var frames: [AnswerFrame] = []
    private(set) var failures: [HTTPViolation] = []
    private(set) var hasAskedForBody = false
    private(set) var moveCount = 0

    init(bodyBytesMax: Int = 1000, traceOneIn: Int64 = 0) {
        asked = AskedBox()
        observer = Observer(asked: asked)
        var seed = SystemRandomNumberGenerator()
        let budget = MemoryBudget.unbounded
        let router = Router(bodyBytesMax: bodyBytesMax, asked: asked)
        rules = LoopRules(EdgeRules(router: router, limits: ServerLimits(), traceOneIn: traceOneIn))
        exchange = Exchange(
            ExchangeContext(
                rules: rules, observer: observer,
                bodyLimits: BodyLimits(pieceSeconds: 10, wholeSeconds: 30),
                pools: LoopPools(eventLoop: loop, name: "0", budget: budget), eventLoop: loop,
                timer: DeadlineTimer(eventLoop: loop)),
            ids: IdentifierSource(seededFrom: &seed))
        exchange.attach(to: self)
    }

    deinit { exchange.end() }

    var observed: [String] { observer.seen.withLock(\.self) }
    /// The traces in which requests were routed and reported.
    var seenTraces: [String?] { asked.traces.withLock(\.self) }
    var takesAnswers: Bool { true }
    func askForBody() { hasAskedForBody = true }
    func exchangeDidMove() { moveCount += 1 }
    func exchangeDidFail(_ violation: HTTPViolation) { failures.append(violation) }
    func write(_ reply: Reply, as frame: AnswerFrame) {
        written.append(reply)
        frames.append(frame)
    }
    func announce(_ interim: ResponseHead) {}
    func beginAnswer(_ head: ResponseHead, plan: ProxyPlan, as frame: AnswerFrame) {}
    func writeAnswer(_ data: ByteBuffer) {}
    func pauseAnswer() {}
    func endAnswer() {}
    func abort() {}
}

/// The decision that the router has to wait for, if any.
private final class AskedBox: Sendable {
    let future = Mutex<EventLoopFuture<Disposition>?>(nil)
    let traces = Mutex<[String?]>([])

    func noteTrace() { traces.withLock { $0.append(CurrentTrace.context?.spanIdentity?.traceID) } }
}

private final class Observer: RequestObserver {
    let seen = Mutex<[String]>([])
    private let asked: AskedBox

    init(asked: AskedBox) { self.asked = asked }

    func requestDidFinish(_ request: FinishedRequest) {
        asked.noteTrace()
        seen.withLock { $0.append("\(request.status)") }
    }
    func requestWasRefused(_ violation: HTTPViolation, method: HTTPMethod?, at route: RouteLabel) {
        seen.withLock { $0.append(violation.rawValue) }
    }
}

/// Answers at once, or what is asked; `/endpoint` takes a body.
private struct Router: RequestRouter {
    let bodyBytesMax: Int
    let asked: AskedBox

    func route(_ head: RequestHead, on eventLoop: any EventLoop) -> RoutedRequest {
        asked.noteTrace()
        return RoutedRequest(route: .other, disposition: disposition(of: head), answerLines: Array("A: b\r\n".utf8))
    }

    private func disposition(of head: RequestHead) -> Disposition {
        if let future = asked.future.withLock(\.self) { return .later(future) }
        guard head.pathText == "/endpoint" else { return .answer(Reply(status: 200, headers: [], body: [])) }
        return .endpoint(bodyBytesMax: bodyBytesMax) { _ in Reply(status: 204, headers: [], body: []) }
    }

    func refusal(_ violation: HTTPViolation, at route: RouteLabel) -> Reply {
        Reply(status: violation.status, headers: [], body: [], closes: true)
    }
    func answerLines(for refused: RefusedHead) -> [UInt8] { [] }
    func upstreamFailure(_ failure: UpstreamFailure, at route: RouteLabel) -> Reply {
        Reply(status: 503, headers: [], body: [])
    }
    func clientAddress(of head: RequestHead) -> String { "192.0.2.1" }
}
