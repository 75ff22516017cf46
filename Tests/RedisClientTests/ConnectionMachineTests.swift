import NIOCore
import Testing

@testable import RedisClient

@Suite struct ConnectionMachineTests {
    typealias Machine = ConnectionMachine<Int>
    static let later = NIODeadline.uptimeNanoseconds(1_000)
    static let lost = RedisError(.connectionLost, "lost")

    @Test func `it waits for every reply of the handshake before it takes requests`() {
        var machine = Machine(handshakeCommandCount: 2, pendingCommandsMax: 10)
        let sendsHandshake = machine.connected(handshakeDeadline: Self.later)
        #expect(sendsHandshake)
        #expect(machine.phase == .authenticating)
        #expect(machine.received(.success(.status("OK"))).kind == .wait)
        #expect(machine.send(1, commandCount: 1, deadline: Self.later).isRefused(with: .notConnected))
        #expect(machine.received(.success(.status("PONG"))).kind == .becomeReady)
        #expect(machine.phase == .ready)
    }

    @Test func `a socket that opens after the end gets no handshake`() {
        var machine = Machine(handshakeCommandCount: 1, pendingCommandsMax: 10)
        #expect(machine.drain() != nil)
        let sendsHandshake = machine.connected(handshakeDeadline: Self.later)
        #expect(!sendsHandshake)
        #expect(machine.phase == .closed)
    }

    @Test func `a refused password closes and says so`() {
        var machine = Machine(handshakeCommandCount: 2, pendingCommandsMax: 10)
        _ = machine.connected(handshakeDeadline: Self.later)
        let decision = machine.received(.failure(.reply("WRONGPASS invalid username-password pair".utf8)))
        #expect(decision.closing?.reason.code == .authenticationFailed)
        #expect(machine.phase == .closed)
    }

    @Test func `a handshake without answer closes at its deadline, not before`() {
        var machine = Machine(handshakeCommandCount: 1, pendingCommandsMax: 10)
        _ = machine.connected(handshakeDeadline: Self.later)
        #expect(machine.checkDeadlines(now: .uptimeNanoseconds(999)).nextCheck == Self.later)
        #expect(machine.checkDeadlines(now: Self.later).closing != nil)
        #expect(machine.phase == .closed)
    }

    @Test func `replies go to requests in the order in which they were sent`() {
        var machine = Machine.ready()
        for request in 1...3 { #expect(machine.send(request, commandCount: 1, deadline: Self.later).isWritten) }
        #expect(machine.received(.success(.integer(1))).kind == .deliver(1))
        #expect(machine.received(.failure(.reply("ERR no".utf8))).kind == .deliver(2))
        #expect(machine.received(.success(.null)).kind == .deliver(3))
        #expect(machine.pendingCommandCount == 0)
    }

    @Test func `a pipeline takes as many replies as it has commands`() {
        var machine = Machine.ready()
        _ = machine.send(1, commandCount: 3, deadline: Self.later)
        _ = machine.send(2, commandCount: 1, deadline: Self.later)
        let receivers = (0..<4).map { _ in machine.received(.success(.null)).kind }
        #expect(receivers == [.deliver(1), .deliver(1), .deliver(1), .deliver(2)])
    }

    @Test func `a reply that nobody asked for closes the connection`() {
        var machine = Machine.ready()
        #expect(machine.received(.success(.null)).closing?.reason.code == .protocolViolation)
        var early = Machine(handshakeCommandCount: 1, pendingCommandsMax: 1)
        #expect(early.received(.success(.null)).closing?.reason.code == .protocolViolation)
    }

    @Test func `one command over the bound is refused and the earlier ones stay`() {
        var machine = Machine.ready(pendingCommandsMax: 3)
        #expect(machine.send(1, commandCount: 2, deadline: Self.later).isWritten)
        #expect(machine.send(2, commandCount: 2, deadline: Self.later).isRefused(with: .tooManyPending))
        #expect(machine.send(3, commandCount: 1, deadline: Self.later).isWritten)
        _ = machine.received(.success(.null))
        #expect(machine.send(4, commandCount: 1, deadline: Self.later).isWritten)
        #expect(machine.received(.success(.null)).kind == .deliver(1))
        #expect(machine.received(.success(.null)).kind == .deliver(3))
    }

    @Test func `an overdue reply fails its request with timeout, the younger ones with connection lost`() {
        var machine = Machine.ready()
        _ = machine.send(1, commandCount: 1, deadline: .uptimeNanoseconds(10))
        _ = machine.send(2, commandCount: 1, deadline: .uptimeNanoseconds(20))
        #expect(machine.checkDeadlines(now: .uptimeNanoseconds(9)).nextCheck == .uptimeNanoseconds(10))
        let closing = machine.checkDeadlines(now: .uptimeNanoseconds(10)).closing
        #expect(closing?.failures.map(\.request) == [1, 2])
        #expect(closing?.failures.map(\.error.code) == [.timeout, .connectionLost])
    }

    @Test func `a later request with a shorter time is overdue first`() {
        var machine = Machine.ready()
        _ = machine.send(1, commandCount: 1, deadline: .uptimeNanoseconds(20))
        _ = machine.send(2, commandCount: 1, deadline: .uptimeNanoseconds(10))
        #expect(machine.checkDeadlines(now: .uptimeNanoseconds(5)).nextCheck == .uptimeNanoseconds(10))
        let closing = machine.checkDeadlines(now: .uptimeNanoseconds(15)).closing
        #expect(closing?.failures.map(\.error.code) == [.connectionLost, .timeout])
    }

    @Test func `replies after the end reach nobody`() {
        var machine = Machine.ready()
        _ = machine.send(1, commandCount: 1, deadline: .uptimeNanoseconds(10))
        _ = machine.checkDeadlines(now: .uptimeNanoseconds(10))
        #expect(machine.received(.success(.null)).kind == .wait)
        #expect(machine.send(2, commandCount: 1, deadline: Self.later).isRefused(with: .notConnected))
        #expect(machine.lost(Self.lost) == nil)
        #expect(machine.drain() == nil)
    }

    @Test func `draining takes no requests and closes with the last reply`() {
        var machine = Machine.ready()
        _ = machine.send(1, commandCount: 2, deadline: Self.later)
        #expect(machine.drain() == nil)
        #expect(machine.phase == .draining)
        #expect(machine.send(2, commandCount: 1, deadline: Self.later).isRefused(with: .notConnected))
        #expect(machine.received(.success(.null)).kind == .deliver(1))
        #expect(machine.received(.success(.null)).kind == .deliverAndClose(1))
        #expect(machine.phase == .closed)
    }

    @Test func `draining still ends when a reply is overdue or the connection is lost`() {
        var overdue = Machine.ready()
        _ = overdue.send(1, commandCount: 1, deadline: .uptimeNanoseconds(10))
        _ = overdue.drain()
        #expect(overdue.checkDeadlines(now: .uptimeNanoseconds(10)).closing?.failures.first?.error.code == .timeout)
        var cut = Machine.ready()
        _ = cut.send(1, commandCount: 1, deadline: Self.later)
        _ = cut.drain()
        #expect(cut.lost(Self.lost)?.failures.first?.error.code == .connectionLost)
    }

    @Test func `an idle connection drains at once and has no deadline`() {
        var machine = Machine.ready()
        #expect(machine.checkDeadlines(now: .distantFuture).isIdle)
        #expect(machine.drain()?.failures.isEmpty == true)
    }
}

// MARK: - What tests ask of decisions

extension ConnectionMachine {
    static func ready(pendingCommandsMax: Int = 10) -> Self {
        var machine = Self(handshakeCommandCount: 1, pendingCommandsMax: pendingCommandsMax)
        _ = machine.connected(handshakeDeadline: .distantFuture)
        _ = machine.received(.success(.status("PONG")))
        return machine
    }
}

extension ConnectionMachine.SendDecision {
    var isWritten: Bool {
        if case .write = self { true } else { false }
    }

    func isRefused(with code: RedisError.Code) -> Bool {
        if case .refuse(let error) = self { error.code == code } else { false }
    }
}

extension ConnectionMachine.ReplyDecision {
    enum Kind: Equatable {
        case wait, becomeReady
        case deliver(Int)
        case deliverAndClose(Int)
        case close
    }

    var kind: Kind? {
        switch self {
        case .wait: .wait
        case .becomeReady: .becomeReady
        case .deliver(let request): (request as? Int).map { .deliver($0) }
        case .deliverAndClose(let request, _): (request as? Int).map { .deliverAndClose($0) }
        case .close: .close
        }
    }

    var closing: ConnectionMachine.Closing? {
        switch self {
        case .close(let closing), .deliverAndClose(_, let closing): closing
        case .wait, .becomeReady, .deliver: nil
        }
    }
}

extension ConnectionMachine.DeadlineDecision {
    var isIdle: Bool {
        if case .idle = self { true } else { false }
    }

    var nextCheck: NIODeadline? {
        if case .check(let deadline) = self { deadline } else { nil }
    }

    var closing: ConnectionMachine.Closing? {
        if case .close(let closing) = self { closing } else { nil }
    }
}
