import InternalAPI
import Logging
import Synchronization
import Testing

@testable import UserCore

/// When identities were last used, gathered and written together.
@Suite struct SignInTimesTests {
    private let identity = VerifiedIdentity(kind: .email, value: "ann@example.com")

    @Test func `what meets a fault is written in the next round, with a later time if one came`() async throws {
        let log = Written()
        let times = SignInTimes(logger: Logger(label: "test")) { try log.take($0) }
        log.fails(true)
        times.note(identity, at: 10)
        await times.round()
        #expect(log.written.isEmpty)
        times.note(identity, at: 12)
        times.note(identity, at: 11)
        log.fails(false)
        await times.round()
        await times.round()
        #expect(log.written == [[identity: 12]])
    }

    @Test func `no more wait than fit a short transaction`() async throws {
        let log = Written()
        let times = SignInTimes(logger: Logger(label: "test")) { try log.take($0) }
        for number in 0..<(SignInTimes.waitingMax + 50) {
            times.note(VerifiedIdentity(kind: .email, value: "user\(number)@example.com"), at: 10)
        }
        times.note(VerifiedIdentity(kind: .email, value: "user0@example.com"), at: 11)
        await times.round()
        #expect(log.written.count == 1 && log.written.first?.count == SignInTimes.waitingMax)
        #expect(log.written.first?[VerifiedIdentity(kind: .email, value: "user0@example.com")] == 11)
    }

    @Test func `what waits at the end is written`() async throws {
        let log = Written()
        let times = SignInTimes(logger: Logger(label: "test")) { try log.take($0) }
        times.note(identity, at: 10)
        // Told to stop before its first round: what is written then is the last one's.
        let running = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await times.run()
        }
        try await running.value
        #expect(log.written == [[identity: 10]])
    }
}

/// The writes that were made or were not.
private final class Written: Sendable {
    private struct Fault: Error {}

    private let state = Mutex<(fails: Bool, batches: [[VerifiedIdentity: Int64]])>((false, []))

    var written: [[VerifiedIdentity: Int64]] { state.withLock { $0.batches } }

    func fails(_ fails: Bool) { state.withLock { $0.fails = fails } }

    func take(_ times: [VerifiedIdentity: Int64]) throws {
        try state.withLock { state in
            if state.fails { throw Fault() }
            state.batches.append(times)
        }
    }
}
