import Foundation
import LatchkeyAuthTesting
import Testing

@testable import LatchkeyAuth

#if canImport(StubDarwin)
import LocalAuthentication
#endif

/// The lock in front of the screens (rows H55, T41 and T59 of Tests/Compat/statements.md).
@Suite struct LockGateTests {
    /// Rows: the rule, what happens at which second, and whether the screens are locked then.
    struct Row: Sendable {
        let rule: LockRule
        let steps: [(String, at: Int, isLocked: Bool)]
    }

    static let rows = [
        Row(rule: .never, steps: [("start", 0, false), ("background", 5, false), ("foreground", 90_000, false)]),
        Row(
            rule: .always,
            steps: [
                ("start", 0, true), ("unlock", 1, false), ("wait", 9_000, false), ("background", 9_001, true),
                ("foreground", 9_002, true), ("unlock", 9_003, false),
            ]),
        Row(
            rule: .afterIdle(.seconds(60)),
            steps: [
                ("start", 0, true), ("unlock", 1, false), ("background", 2, false), ("foreground", 60, false),
                ("use", 60, false), ("wait", 119, false), ("wait", 120, true), ("use", 121, true),
                ("unlock", 122, false),
                ("background", 123, false), ("foreground", 500, true), ("networkBack", 501, true),
            ]),
    ]

    @Test(arguments: rows)
    func `the rule says when the screens are locked`(_ row: Row) {
        var state = LockState(row.rule, at: .zero)
        for (step, second, isLocked) in row.steps {
            let now = Duration.seconds(second)
            switch step {
            case "use": state.used(at: now)
            case "unlock": state.unlocked(at: now)
            default: if let change = Change(rawValue: step) { state.changed(change, at: now) }
            }
            #expect(state.isLocked(at: now) == isLocked, "\(row.rule): \(step) at \(second)")
        }
    }

    @Test func `a cancelled prompt leaves the screens locked and the user signed in`() async throws {
        let store = MemoryStore()
        let transport = ScriptedTransport()
        transport.on("POST", "/auth/otp/request", .json(200, ["status": "pending"]))
        transport.on("POST", "/auth/otp/verify", .signIn())
        var configuration = LatchkeyAuth.Configuration(
            baseURL: try #require(URL(string: "https://api.example.com")))
        configuration.store = store
        configuration.transport = transport
        let auth = LatchkeyAuth(configuration)
        try await auth.signIn(try await auth.requestCode(phone: "+15551234567"), code: "123456")
        let gate = LockGate(.always, surroundings: TestSurroundings(), clock: TestClock()) { _ in .declined }
        #expect(await gate.unlock("Open") == false)
        #expect(gate.isLocked)
        #expect(await !gate.confirmAgain("Pay"))
        #expect(try await auth.accessToken() == "access-1")
    }

    @Test func `callers that unlock at once share one prompt`() async {
        let (prompts, open) = AsyncStream<CheckedContinuation<Void, Never>>.makeStream()
        let gate = LockGate(.always, surroundings: TestSurroundings(), clock: TestClock()) { _ in
            await withCheckedContinuation { open.yield($0) }
            return .confirmed
        }
        async let first = gate.unlock("Open")
        var iterator = prompts.makeAsyncIterator()
        let prompt = await iterator.next()
        async let second = gate.unlock("Open")
        await Task.yield()
        prompt?.resume()
        #expect(await first)
        #expect(await second)
        #expect(!gate.isLocked)
    }

    @Test func `a device without a passcode locks no user out`() async {
        let gate = LockGate(.always, surroundings: TestSurroundings(), clock: TestClock()) { _ in .impossible }
        #expect(await gate.unlock("Open"))
    }

    @Test func `an idle app is locked while it is on the screen`() async {
        let clock = TestClock()
        let gate = LockGate(.afterIdle(.seconds(60)), surroundings: TestSurroundings(), clock: clock) { _ in .confirmed
        }
        var states = gate.states.makeAsyncIterator()
        #expect(await states.next() == true)
        await gate.unlock("Open")
        #expect(await states.next() == false)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(40))
        for _ in 0..<10 { gate.used() }
        clock.advance(by: .seconds(30))
        await clock.waitForSleepers()
        #expect(!gate.isLocked)
        clock.advance(by: .seconds(30))
        #expect(await states.next() == true)
        #expect(gate.isLocked)
    }

    @Test func `going to the background locks`() async {
        let surroundings = TestSurroundings()
        let gate = LockGate(.always, surroundings: surroundings, clock: TestClock()) { _ in .confirmed }
        var states = gate.states.makeAsyncIterator()
        #expect(await states.next() == true)
        await gate.unlock("Open")
        #expect(await states.next() == false)
        surroundings.change(.background)
        #expect(await states.next() == true)
    }

    #if canImport(StubDarwin)
    @Test func `the answers of the system's dialog`() async {
        StubUser.answer = .success(true)
        #expect(await confirmByDeviceOwner("Open") == .confirmed)
        for code in [LAError.Code.userCancel, .authenticationFailed, .biometryLockout, .systemCancel, .notInteractive] {
            StubUser.answer = .failure(LAError(code))
            #expect(await confirmByDeviceOwner("Open") == .declined)
        }
        StubUser.answer = .failure(LAError(.passcodeNotSet))
        #expect(await confirmByDeviceOwner("Open") == .impossible)
    }
    #endif
}
