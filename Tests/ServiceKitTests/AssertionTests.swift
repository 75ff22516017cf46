import CallDeadlines
import CryptoPrimitives
import InternalAPI
import Testing

@testable import ServiceCalls

@Suite struct AssertionTests {
    private let keys: KeyRing
    private let otherKeys: KeyRing
    private let start: Int64 = 1_700_000_000_000

    init() throws {
        keys = try KeyRing(
            parsing: "k2 \(Hex.encode(SecureRandom.bytes(32)))\nk1 \(Hex.encode(SecureRandom.bytes(32)))")
        otherKeys = try KeyRing(parsing: "k2 \(Hex.encode(SecureRandom.bytes(32)))")
    }

    private func verifier() -> AssertionVerifier {
        AssertionVerifier(service: "token", keys: [.gateway: keys])
    }

    /// A verifier that knows this process, whose clocks agree with ours.
    private func acquainted(at now: Moment? = nil) throws -> AssertionVerifier {
        let (verifier, now) = (verifier(), now ?? self.now)
        let first = signer().sign(
            Self.request(), wait: .seconds(3), answering: [verifier.challenge(now: now)], now: now)
        _ = try verifier.verify(first.text, of: Self.request(), now: now)
        return verifier
    }

    private func signer() -> AssertionSigner { AssertionSigner(caller: .gateway, service: "token", keys: keys) }

    private var now: Moment { Moment(wall: start, ticks: Self.hour) }
    private static let hour: Int64 = 3_600_000_000_000

    /// A moment by clocks that both have gone on, and of which the wall clock was set too.
    private func later(_ milliseconds: Int64, wallSet: Int64 = 0) -> Moment {
        Moment(wall: start + milliseconds + wallSet, ticks: Self.hour + milliseconds * 1_000_000)
    }

    private static func request(
        method: String = "POST", path: String = "/internal/sessions?a=1", authorization: String = "Bearer abc",
        body: String = "{}"
    ) -> AssertedRequest {
        AssertedRequest(method: method, path: path, authorization: authorization, body: Array(body.utf8))
    }

    private func assertion(
        caller: Caller = .gateway, service: String = "token", keys: KeyRing? = nil,
        of request: AssertedRequest = Self.request(), wait: Duration = .seconds(3), at time: Moment? = nil
    ) -> String {
        AssertionSigner(caller: caller, service: service, keys: keys ?? self.keys)
            .sign(request, wait: wait, now: time ?? now).text
    }

    private func refusal(
        of header: String?, by verifier: AssertionVerifier? = nil, at now: Moment? = nil
    ) throws -> AssertionRefusal? {
        let verifier = try verifier ?? acquainted()
        do throws(RefusedCall) {
            _ = try verifier.verify(header, of: Self.request(), now: now ?? self.now)
            return nil
        } catch { return error.reason }
    }

    @Test func `a true assertion names its caller`() throws {
        #expect(try acquainted().verify(assertion(), of: Self.request(), now: now).caller == .gateway)
    }

    @Test func `the command line's assertion names the operator, and no other process's does`() throws {
        let alice = try #require(OperatorName("alice"))
        #expect(AssertedSender("control:alice") == AssertedSender(.control, alice))
        #expect(AssertedSender(.control, alice).text == "control:alice")
        #expect(AssertedSender("control") == AssertedSender(.control, nil))
        for text in ["gateway:alice", "control:", "control:a b", "control:a:b", ":alice", "alice", ""] {
            #expect(AssertedSender(text) == nil, "\(text)")
        }
        let verifier = AssertionVerifier(service: "token", keys: [.control: keys])
        let call = AssertionSigner(caller: .control, operatorName: alice, service: "token", keys: keys)
            .sign(Self.request(), wait: .seconds(3), answering: [verifier.challenge(now: now)], now: now)
        let renamed = call.text.replacing("control:alice", with: "control:bob")
        #expect(throws: RefusedCall.self) { try verifier.verify(renamed, of: Self.request(), now: now) }
        #expect(try verifier.verify(call.text, of: Self.request(), now: now).operatorName == alice)
    }

    @Test func `a request without an assertion is refused`() throws {
        #expect(try refusal(of: nil) == .missing)
        for text in ["", "v", "v3", "v3;;;;;;;;", "w3;a;b;1;1;1;c;;d", String(repeating: ";", count: 100_000)] {
            #expect(try refusal(of: text) == .malformed, "\(text.prefix(20))")
        }
    }

    @Test(arguments: ["v2;gateway;k2;1700000000001;3000;AAAAAAAAAAAAAAAAAAAAAA;AAAA", "v4;anything"])
    func `an assertion of another version is told from a malformed one`(text: String) throws {
        #expect(try refusal(of: text) == .otherVersion)
    }

    @Test func `an assertion with another pair's key is refused`() throws {
        #expect(try refusal(of: assertion(keys: otherKeys)) == .forged)
        #expect(try refusal(of: assertion(caller: .user)) == .unknownCaller)
        #expect(try refusal(of: assertion(service: "user")) == .forged)
    }

    @Test(arguments: [
        request(method: "GET"), request(path: "/internal/session?a=1"), request(path: "/internal/sessions?a=2"),
        request(authorization: ""), request(authorization: "Bearer abd"), request(body: "{ }"),
    ])
    func `an altered method, path, query, Authorization or body is refused`(other: AssertedRequest) throws {
        #expect(try refusal(of: assertion(of: other)) == .forged)
    }

    @Test func `an altered time, wait or challenge is refused`() throws {
        let parts = assertion().split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        for (index, value) in [(3, "1700000000002"), (4, "3600001"), (5, "3001"), (5, "30000"), (7, "AAAA")] {
            var altered = parts
            altered[index] = value
            #expect(try refusal(of: altered.joined(separator: ";")) == .forged)
        }
        for (index, value) in [
            (5, "30001"), (5, "-1"), (5, ""), (5, "x"), (3, "-1"), (3, String(Int64.max)), (4, String(Int64.min)),
            (4, "4503599627370497"),
        ] {
            var altered = parts
            altered[index] = value
            #expect(try refusal(of: altered.joined(separator: ";")) == .malformed, "\(value)")
        }
    }

    @Test func `a caller's wait begins with the assertion's time, and a second of it is the service's own`() throws {
        func refusal(_ wait: Duration, age: Int64) throws -> AssertionRefusal? {
            try self.refusal(of: assertion(wait: wait, at: later(100_000 - age)), at: later(100_000))
        }
        #expect(try refusal(.seconds(3), age: 1_900) == nil)
        #expect(try refusal(.seconds(3), age: 2_100) == .late)
        #expect(try refusal(.seconds(7), age: 5_900) == nil)
        #expect(try refusal(.seconds(7), age: 6_100) == .late)
        #expect(try refusal(.seconds(1), age: 0) == .late)
        #expect(try refusal(.seconds(-1), age: 0) == .late)
        // However long it says to wait.
        #expect(try refusal(.seconds(3600), age: 28_900) == nil)
        #expect(try refusal(.seconds(3600), age: 29_100) == .late)
    }

    @Test func `what is left of the wait is the call's deadline, on the clock that goes on in sleep`() throws {
        let real = Moment.now()
        let verifier = try acquainted(at: real)
        let half = Moment(wall: real.wall + 500, ticks: real.ticks + 500_000_000)
        let call = try verifier.verify(
            assertion(wait: .seconds(20), at: real), of: Self.request(), now: half)
        #expect(call.deadline == CallDeadline(in: .milliseconds(18_500), now: half.ticks))
    }

    // MARK: Clocks

    @Test(arguments: [20_000, 600_000, 86_400_000, 100_000_000_000, -20_000, -600_000, -86_400_000, -1_000_000_000_000])
    func `when the clocks of all processes are set, calls go on at once, and no old one is accepted`(step: Int64) throws
    {
        let verifier = try acquainted()
        let old = assertion(wait: .seconds(30), at: later(1_000))
        #expect(try refusal(of: old, by: verifier, at: later(1_000)) == nil)
        let after = later(700_000, wallSet: step)
        #expect(try refusal(of: assertion(at: after), by: verifier, at: after) == nil)
        #expect(try refusal(of: old, by: verifier, at: after) == .late)
        // The wall clock says the same as when the old one was made.
        let again = Moment(wall: later(1_000).wall, ticks: after.ticks)
        #expect(try refusal(of: old, by: verifier, at: again) == .late)
    }

    @Test(arguments: [-600_000, 0, 600_000] as [Int64])
    func `no assertion from before the start is accepted, whatever the clocks say`(step: Int64) throws {
        let predecessor = try acquainted()
        let first = signer().sign(
            Self.request(), wait: .seconds(30), answering: [predecessor.challenge(now: now)], now: now)
        let other = assertion(wait: .seconds(30))
        for recorded in [first.text, other] {
            let fresh = verifier()
            #expect(try refusal(of: recorded, by: fresh, at: now) == .unknownProcess)
            #expect(try refusal(of: recorded, by: fresh, at: later(1, wallSet: step)) == .unknownProcess)
            // Not after its caller made itself known either, while the recorded one would still be waited for.
            let after = later(5_000, wallSet: step - 5_000)
            let call = signer().sign(
                Self.request(), wait: .seconds(3), answering: [fresh.challenge(now: after)], now: after)
            _ = try fresh.verify(call.text, of: Self.request(), now: after)
            #expect(try refusal(of: recorded, by: fresh, at: after) == .unknownProcess)
        }
    }

    @Test(arguments: [501, 20_000, 600_000, 86_400_000, -501, -20_000, -600_000, -86_400_000] as [Int64])
    func `a caller whose wall clock differs is refused and told by how much`(step: Int64) throws {
        let verifier = try acquainted()
        let call = signer().sign(Self.request(), wait: .seconds(3), now: later(1_000, wallSet: step))
        let refused = try #require(throws: RefusedCall.self) {
            _ = try verifier.verify(call.text, of: Self.request(), now: later(1_000))
        }
        #expect(refused.reason == (step > 0 ? .ahead : .behind))
        let told = try #require(refused.proof.flatMap { call.proof.refusal(in: $0) })
        #expect(told.aheadMilliseconds == step && told.isOfClocks)
        // Once it is right again, its calls are accepted at once.
        #expect(try refusal(of: assertion(at: later(1_100)), by: verifier, at: later(1_100)) == nil)
    }

    @Test(arguments: [-500, 500] as [Int64]) func `wall clocks may differ by half a second`(step: Int64) throws {
        #expect(try refusal(of: assertion(at: later(9, wallSet: step)), at: later(9)) == nil)
    }

    @Test func `a process makes itself known by a challenge of this process, within ten seconds`() throws {
        let verifier = verifier()
        func attempt(_ challenge: CallChallenge?, at moment: Moment) throws -> AssertionRefusal? {
            let call = signer().sign(
                Self.request(), wait: .seconds(30), answering: challenge.map { [$0] } ?? [], now: moment)
            return try refusal(of: call.text, by: verifier, at: moment)
        }
        #expect(try attempt(nil, at: now) == .unknownProcess)
        #expect(try attempt(self.verifier().challenge(now: now), at: now) == .unknownProcess)
        #expect(try attempt(verifier.challenge(now: now), at: later(10_001)) == .unknownProcess)
        #expect(try attempt(verifier.challenge(now: later(20_000)), at: now) == .unknownProcess)
        #expect(try attempt(verifier.challenge(now: now), at: later(10_000)) == nil)
        #expect(try attempt(nil, at: later(10_001)) == nil)
    }

    @Test func `a call may repeat the challenges of several replicas, and each accepts it`() throws {
        let replicas = (0..<CallChallenge.repeatedMax).map { _ in verifier() }
        let challenges = replicas.map { $0.challenge(now: now) }
        let call = signer().sign(Self.request(), wait: .seconds(3), answering: challenges, now: now)
        for replica in replicas { #expect(try refusal(of: call.text, by: replica, at: now) == nil) }
        let other = signer().sign(
            Self.request(), wait: .seconds(3), answering: Array(challenges.dropFirst()), now: now)
        #expect(try refusal(of: other.text, by: verifier(), at: now) == .unknownProcess)
    }

    @Test func `a caller that was suspended is late, and is known again by a challenge`() throws {
        let verifier = try acquainted()
        // Its monotonic clock stood still for a minute.
        let slow = Moment(wall: later(60_100).wall, ticks: later(100).ticks)
        #expect(try refusal(of: assertion(at: slow), by: verifier, at: later(60_100)) == .late)
        let call = signer().sign(
            Self.request(), wait: .seconds(3), answering: [verifier.challenge(now: later(60_100))], now: slow)
        #expect(try refusal(of: call.text, by: verifier, at: later(60_100)) == nil)
        let next = Moment(wall: later(60_200).wall, ticks: later(200).ticks)
        #expect(try refusal(of: assertion(at: next), by: verifier, at: later(60_200)) == nil)
    }

    // MARK: Repeats

    @Test func `an assertion is good once`() throws {
        let verifier = try acquainted()
        let header = assertion(wait: .seconds(30))
        #expect(try refusal(of: header, by: verifier) == nil)
        #expect(try refusal(of: header, by: verifier) == .replayed)
        #expect(try refusal(of: header, by: verifier, at: later(28_000)) == .replayed)
    }

    @Test func `a nonce is remembered for its lifetime`() {
        let nonces = NonceMemory(lifetimeMilliseconds: 60_000)
        #expect(nonces.insert([1], now: 1_000))
        #expect(!nonces.insert([1], now: 60_999) && !nonces.insert([1], now: 119_999))
    }

    @Test func `a full memory refuses new nonces, and forgets none before its time`() {
        let nonces = NonceMemory(lifetimeMilliseconds: 100, entriesMax: 2)
        #expect(nonces.insert([1], now: 100) && nonces.insert([2], now: 199))
        #expect(!nonces.insert([3], now: 199) && !nonces.insert([1], now: 199) && !nonces.insert([2], now: 199))
        // The next lifetime has room, and still knows the nonces of the one before.
        #expect(nonces.insert([3], now: 200) && !nonces.insert([1], now: 299) && !nonces.insert([2], now: 299))
        #expect(nonces.insert([4], now: 299) && !nonces.insert([5], now: 299))
        // After a silence of two lifetimes everything is over.
        for nonce in [1, 2] as [UInt8] { #expect(nonces.insert([nonce], now: 500)) }
        #expect(!nonces.insert([3], now: 500))
    }

    @Test func `one of a hundred concurrent uses of an assertion passes`() async throws {
        let verifier = try acquainted()
        let header = assertion()
        let passed = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { try self.refusal(of: header, by: verifier) == nil } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(passed == 1)
    }

    @Test func `the second live key verifies, a key that is gone does not`() throws {
        let rotated = try KeyRing([KeyRing.Key](arrayLiteral: try #require(keys["k1"])))
        #expect(try refusal(of: assertion(keys: rotated)) == nil)
        let gone = try KeyRing(parsing: "k9 \(Hex.encode(SecureRandom.bytes(32)))")
        #expect(try refusal(of: assertion(keys: gone)) == .unknownKey)
    }

    // MARK: Answers

    private func isGood(_ value: [UInt8], for call: SignedCall, _ status: Int, _ body: String) -> Bool {
        call.proof.isGood(value, status: status, body: Array(body.utf8).span)
    }

    @Test func `an answer's proof covers the call, the status and the body`() throws {
        let signer = signer()
        let call = signer.sign(Self.request(), wait: .seconds(3), now: now)
        let accepted = try acquainted().verify(call.text, of: Self.request(), now: now)
        let value = accepted.proof.value(status: 200, body: Array("{}".utf8).span)
        #expect(isGood(value, for: call, 200, "{}"))
        #expect(!isGood(value, for: call, 201, "{}"))
        #expect(!isGood(value, for: call, 20, "0{}"))
        #expect(!isGood(value, for: call, 200, "{ }"))
        #expect(!isGood(Array(value.dropLast()), for: call, 200, "{}"))
        #expect(!isGood([], for: call, 200, "{}"))
        #expect(!isGood(value, for: signer.sign(Self.request(), wait: .seconds(3), now: now), 200, "{}"))
    }

    @Test func `an answer under another pair's key proves nothing`() throws {
        let call = AssertionSigner(caller: .gateway, service: "token", keys: keys)
            .sign(Self.request(), wait: .seconds(3))
        let foreign = AssertionSigner(caller: .gateway, service: "token", keys: otherKeys)
            .sign(Self.request(), wait: .seconds(3))
        let value = foreign.proof.value(status: 200, body: Array("{}".utf8).span)
        #expect(!isGood(value, for: call, 200, "{}"))
    }
}
