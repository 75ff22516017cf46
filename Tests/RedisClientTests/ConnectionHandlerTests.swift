import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import RedisClient

@Suite struct ConnectionHandlerTests {
    @Test func `it sends the handshake, becomes ready, and answers requests in order`() throws {
        let fixture = try Fixture()
        #expect(try fixture.sent() == "*1\r\n$4\r\nPING\r\n*1\r\n$4\r\nROLE\r\n")
        #expect(!fixture.isReady)
        try fixture.receive(Fixture.handshakeReplies)
        #expect(fixture.isReady)
        let outcomes = fixture.send(["GET", "a"], ["GET", "b"])
        #expect(try fixture.sent() == "*2\r\n$3\r\nGET\r\n$1\r\na\r\n*2\r\n$3\r\nGET\r\n$1\r\nb\r\n")
        try fixture.receive(":1\r\n-ERR no\r\n")
        #expect(
            outcomes.map(\.value) == [.success([.success(.integer(1))]), .success([.failure(.reply("ERR no".utf8))])])
    }

    @Test func `requests given together leave in one write`() throws {
        let fixture = try Fixture.ready()
        _ = fixture.send(["A"], ["B"], ["C"])
        #expect(try fixture.channel.readOutbound(as: ByteBuffer.self)?.readableBytes == 33)
        #expect(try fixture.channel.readOutbound(as: ByteBuffer.self) == nil)
    }

    @Test func `a late reply closes the connection and reaches nobody`() throws {
        let fixture = try Fixture.ready()
        let late = fixture.send(["GET", "a"])
        fixture.loop.advanceTime(by: .milliseconds(999))
        let young = fixture.send(["GET", "b"])
        #expect(late[0].value == nil)
        fixture.loop.advanceTime(by: .milliseconds(1))
        #expect(late[0].error == RedisError(.timeout, RedisError.overdue.message, wasSent: true))
        #expect(young[0].error?.code == .connectionLost)
        #expect(fixture.endings.map(\.code) == [.connectionLost])
        #expect(!fixture.channel.isActive)
    }

    @Test func `replies in time keep the connection`() throws {
        let fixture = try Fixture.ready()
        for _ in 0..<10 {
            let outcomes = fixture.send(["GET", "a"])
            fixture.loop.advanceTime(by: .milliseconds(600))
            try fixture.receive(":1\r\n")
            #expect(outcomes[0].value == .success([.success(.integer(1))]))
        }
        fixture.loop.advanceTime(by: .seconds(10))
        #expect(fixture.channel.isActive)
    }

    @Test func `a handshake without answer ends the attempt`() throws {
        let fixture = try Fixture()
        fixture.loop.advanceTime(by: .milliseconds(500))
        #expect(fixture.endings.count == 1)
        #expect(!fixture.isReady && !fixture.channel.isActive)
    }

    @Test func `a wrong password ends the attempt with its own code`() throws {
        let fixture = try Fixture()
        try fixture.receive("-WRONGPASS invalid\r\n+PONG\r\n")
        #expect(fixture.endings.map(\.code) == [.authenticationFailed])
    }

    @Test func `bytes that are no reply end the connection, and its requests`() throws {
        let fixture = try Fixture.ready()
        let outcomes = fixture.send(["GET", "a"], ["GET", "b"])
        try fixture.receive(":1\r\nHTTP/1.1 400 Bad Request\r\n:2\r\n")
        #expect(outcomes[0].value == .success([.success(.integer(1))]))
        #expect(outcomes[1].error?.code == .protocolViolation)
        #expect(!fixture.channel.isActive)
    }

    @Test func `the other side closing fails what waits, as sent`() throws {
        let fixture = try Fixture.ready()
        let outcomes = fixture.send(["GET", "a"])
        fixture.channel.pipeline.fireChannelInactive()
        #expect(outcomes[0].error?.code == .connectionLost)
        #expect(outcomes[0].error?.wasSent == true)
        #expect(fixture.endings.count == 1)
    }

    @Test func `a request cancelled before it is written is not written`() throws {
        let fixture = try Fixture.ready()
        let request = fixture.request([["GET", "a"]])
        let outcome = Outcome()
        #expect(request.start(outcome.set))
        request.cancel()
        fixture.handler.send([request])
        #expect(outcome.error == RedisError(.cancelled, "the calling task was cancelled", wasSent: false))
        #expect(try fixture.sent() == "")
    }

    @Test func `a request cancelled after it was written keeps its place, so that replies do not shift`() throws {
        let fixture = try Fixture.ready()
        let request = fixture.request([["GET", "a"]])
        let outcome = Outcome()
        #expect(request.start(outcome.set))
        fixture.handler.send([request])
        let other = fixture.send(["GET", "b"])
        request.cancel()
        #expect(outcome.error?.code == .cancelled)
        #expect(outcome.error?.wasSent == true)
        try fixture.receive(":1\r\n:2\r\n")
        #expect(other[0].value == .success([.success(.integer(2))]))
        #expect(outcome.error?.code == .cancelled)
    }

    @Test func `a request cancelled before it began is completed and not submitted`() throws {
        let fixture = try Fixture.ready()
        let request = fixture.request([["GET", "a"]])
        request.cancel()
        let outcome = Outcome()
        #expect(!request.start(outcome.set))
        #expect(outcome.error?.code == .cancelled)
    }

    @Test func `draining finishes what was written and refuses more`() throws {
        let fixture = try Fixture.ready()
        let outcomes = fixture.send(["GET", "a"])
        fixture.handler.drain()
        let refused = fixture.send(["GET", "b"])
        #expect(refused[0].error?.code == .notConnected)
        #expect(refused[0].error?.wasSent == false)
        #expect(fixture.channel.isActive)
        try fixture.receive(":1\r\n")
        #expect(outcomes[0].value == .success([.success(.integer(1))]))
        #expect(!fixture.channel.isActive)
    }

    @Test func `what is not written because of the bound counts as not sent`() throws {
        let fixture = try Fixture.ready { $0.pendingCommandsMax = 1 }
        let outcomes = fixture.send(["GET", "a"], ["GET", "b"])
        #expect(outcomes[1].error?.code == .tooManyPending)
        #expect(outcomes[1].error?.wasSent == false)
        try fixture.receive(":1\r\n")
        #expect(outcomes[0].value == .success([.success(.integer(1))]))
    }
}

// MARK: - Fixture

/// A handler in an embedded channel, whose clock the test moves.
private final class Fixture {
    let loop = EmbeddedEventLoop()
    let channel: EmbeddedChannel
    let handler: ConnectionHandler
    private let seen: Seen

    final class Seen {
        var isReady = false
        var endings: [RedisError] = []
    }

    init(_ configure: (inout RedisConfiguration) -> Void = { _ in }) throws {
        var configuration = RedisConfiguration()
        configure(&configuration)
        let seen = Seen()
        self.seen = seen
        handler = ConnectionHandler(
            configuration,
            observer: .init(ready: { seen.isReady = true }, closed: { seen.endings.append($0) }))
        channel = EmbeddedChannel(handler: handler, loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 6_379)).wait()
    }

    static let handshakeReplies = "+PONG\r\n*1\r\n$6\r\nmaster\r\n"

    static func ready(_ configure: (inout RedisConfiguration) -> Void = { _ in }) throws -> Fixture {
        let fixture = try Fixture(configure)
        _ = try fixture.sent()
        try fixture.receive(Fixture.handshakeReplies)
        return fixture
    }

    var isReady: Bool { seen.isReady }
    var endings: [RedisError] { seen.endings }

    func request(_ commands: [[RedisArgument]]) -> RedisRequest {
        RedisRequest(commands, deadline: loop.now + .seconds(1))
    }

    func send(_ commands: [RedisArgument]...) -> [Outcome] {
        let requests = commands.map { request([$0]) }
        let outcomes = requests.map { request in
            let outcome = Outcome()
            _ = request.start(outcome.set)
            return outcome
        }
        handler.send(requests)
        return outcomes
    }

    func receive(_ text: String) throws {
        try channel.writeInbound(ByteBuffer(string: text))
    }

    func sent() throws -> String {
        var text = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
        return text
    }
}

/// The outcome of a request; a second completion is an issue.
private final class Outcome: Sendable {
    private let outcome = Mutex<RedisRequest.Outcome?>(nil)

    var value: RedisRequest.Outcome? { outcome.withLock { $0 } }

    var error: RedisError? {
        guard case .failure(let error) = value else { return nil }
        return error
    }

    func set(_ value: RedisRequest.Outcome) {
        outcome.withLock { outcome in
            if outcome != nil { Issue.record("completed twice") }
            outcome = value
        }
    }
}
