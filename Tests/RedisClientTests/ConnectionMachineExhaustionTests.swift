import NIOCore
import Testing

@testable import RedisClient

/// Every sequence of events up to a length, each step checked against what must always hold.
@Suite struct ConnectionMachineExhaustionTests {
    enum Event: CaseIterable { case connected, send, sendPipeline, reply, errorReply, overdue, drain, lost }

    @Test func `in every sequence of six events each request is completed once, in order, and none after the end`() {
        var sequences = 0
        explore(Run(), depth: 6, count: &sequences)
        #expect(sequences == 8 * 8 * 8 * 8 * 8 * 8)
    }

    private func explore(_ run: Run, depth: Int, count: inout Int) {
        guard depth > 0 else {
            var ending = run
            ending.apply(.lost)
            ending.expectAllCompleted()
            count += 1
            return
        }
        for event in Event.allCases {
            var next = run
            next.apply(event)
            explore(next, depth: depth - 1, count: &count)
        }
    }

    /// A machine and what a caller has seen of it.
    struct Run {
        private var machine = ConnectionMachine<Int>(handshakeCommandCount: 1, pendingCommandsMax: 4)
        private var repliesAwaited: [(request: Int, count: Int)] = []
        private var nextRequest = 0
        private var completed: Set<Int> = []

        mutating func apply(_ event: Event) {
            let before = machine.phase
            switch event {
            case .connected:
                let sendsHandshake = machine.connected(handshakeDeadline: .distantFuture)
                check(sendsHandshake == (before == .connecting))
            case .send: send(commandCount: 1)
            case .sendPipeline: send(commandCount: 2)
            case .reply: receive(.success(.null), before)
            case .errorReply: receive(.failure(.reply("ERR wrong".utf8)), before)
            case .overdue: end(machine.checkDeadlines(now: .distantFuture).closing)
            case .drain: end(machine.drain())
            case .lost: end(machine.lost(RedisError(.connectionLost, "lost")))
            }
            check(machine.phase.order >= before.order)
            check(machine.pendingCommandCount == repliesAwaited.reduce(0) { $0 + $1.count })
        }

        func expectAllCompleted() {
            check(repliesAwaited.isEmpty)
            check(completed == Set(0..<nextRequest))
        }

        private mutating func send(commandCount: Int) {
            let decision = machine.send(nextRequest, commandCount: commandCount, deadline: .distantFuture)
            let mayWrite = machine.phase == .ready && repliesAwaited.reduce(0) { $0 + $1.count } + commandCount <= 4
            check(decision.isWritten == mayWrite)
            guard decision.isWritten else { return }
            repliesAwaited.append((nextRequest, commandCount))
            nextRequest += 1
        }

        private mutating func receive(_ reply: RedisReply, _ before: ConnectionMachine<Int>.Phase) {
            switch machine.received(reply) {
            case .wait: check(before == .closed)
            case .becomeReady: check(before == .authenticating)
            case .deliver(let request): deliver(request)
            case .deliverAndClose(let request, let closing):
                deliver(request)
                check(closing.failures.isEmpty && before == .draining && repliesAwaited.isEmpty)
            case .close(let closing): end(closing)
            }
        }

        private mutating func deliver(_ request: Int) {
            check(repliesAwaited.first?.request == request)
            guard let first = repliesAwaited.first else { return }
            if first.count > 1 {
                repliesAwaited[0].count -= 1
            } else {
                repliesAwaited.removeFirst()
                complete(request)
            }
        }

        private mutating func end(_ closing: ConnectionMachine<Int>.Closing?) {
            guard let closing else { return }
            check(machine.phase == .closed)
            check(closing.failures.map(\.request) == repliesAwaited.map(\.request))
            for failure in closing.failures { complete(failure.request) }
            repliesAwaited = []
        }

        private mutating func complete(_ request: Int) {
            check(completed.insert(request).inserted)
        }

        /// `#expect` at each of two million steps would take minutes.
        private func check(_ isTrue: Bool, line: Int = #line) {
            if !isTrue { Issue.record("line \(line): broken in \(machine)") }
        }
    }
}

extension ConnectionMachine.Phase {
    fileprivate var order: Int {
        switch self {
        case .connecting: 0
        case .authenticating: 1
        case .ready: 2
        case .draining: 3
        case .closed: 4
        }
    }
}
