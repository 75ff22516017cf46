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
        AssertionVerifier(service: "token", keys: [.gateway: keys], startedAt: start)
    }

    private static func request(
        method: String = "POST", path: String = "/internal/sessions?a=1", authorization: String = "Bearer abc",
        body: String = "{}"
    ) -> AssertedRequest {
        AssertedRequest(method: method, path: path, authorization: authorization, body: Array(body.utf8))
    }

    private func assertion(
        caller: Caller = .gateway, service: String = "token", keys: KeyRing? = nil,
        of request: AssertedRequest = Self.request(), wait: Duration = .seconds(3), at time: Int64? = nil
    ) -> String {
        AssertionSigner(caller: caller, service: service, keys: keys ?? self.keys)
            .sign(request, wait: wait, now: time ?? start + 1).text
    }

    private func refusal(of header: String?, at now: Int64? = nil) -> AssertionRefusal? {
        refusal(of: header, by: verifier(), at: now)
    }

    private func refusal(
        of header: String?, by verifier: AssertionVerifier, at now: Int64? = nil, ticks: Int64 = 0
    ) -> AssertionRefusal? {
        do throws(AssertionRefusal) {
            _ = try verifier.verify(header, of: Self.request(), now: now ?? start + 2, ticks: ticks)
            return nil
        } catch { return error }
    }

    @Test func `a true assertion names its caller`() throws {
        #expect(try verifier().verify(assertion(), of: Self.request(), now: start + 2).caller == .gateway)
    }

    @Test func `a request without an assertion is refused`() {
        #expect(refusal(of: nil) == .missing)
        for text in ["", "v", "v2", "v2;;;;;;", "w2;a;b;1;1;c;d", String(repeating: ";", count: 100_000)] {
            #expect(refusal(of: text) == .malformed, "\(text.prefix(20))")
        }
    }

    @Test(arguments: ["v1;gateway;k2;1700000000001;AAAAAAAAAAAAAAAAAAAAAA;AAAA", "v3;anything"])
    func `an assertion of another version is told from a malformed one`(text: String) {
        #expect(refusal(of: text) == .otherVersion)
    }

    @Test func `an assertion with another pair's key is refused`() {
        #expect(refusal(of: assertion(keys: otherKeys)) == .forged)
        #expect(refusal(of: assertion(caller: .user)) == .unknownCaller)
        #expect(refusal(of: assertion(service: "user")) == .forged)
    }

    @Test(arguments: [
        request(method: "GET"), request(path: "/internal/session?a=1"), request(path: "/internal/sessions?a=2"),
        request(authorization: ""), request(authorization: "Bearer abd"), request(body: "{ }"),
    ])
    func `an altered method, path, query, Authorization or body is refused`(other: AssertedRequest) {
        #expect(refusal(of: assertion(of: other)) == .forged)
    }

    @Test func `an altered time or wait is refused`() {
        let parts = assertion().split(separator: ";").map(String.init)
        for (index, value) in [(3, "1700000000002"), (4, "3001"), (4, "30000")] {
            var altered = parts
            altered[index] = value
            #expect(refusal(of: altered.joined(separator: ";")) == .forged)
        }
        for wait in ["30001", "-1", "", "x"] {
            var altered = parts
            altered[4] = wait
            #expect(refusal(of: altered.joined(separator: ";")) == .malformed, "\(wait)")
        }
    }

    @Test func `a caller's wait begins with the assertion's time, and a second of it is the service's own`() throws {
        let now = start + 100_000
        #expect(refusal(of: assertion(at: now - 1_999), at: now) == nil)
        #expect(refusal(of: assertion(at: now - 2_000), at: now) == .late)
        #expect(refusal(of: assertion(wait: .seconds(7), at: now - 5_999), at: now) == nil)
        #expect(refusal(of: assertion(wait: .seconds(7), at: now - 6_000), at: now) == .late)
        #expect(refusal(of: assertion(wait: .seconds(1), at: now), at: now) == .late)
        #expect(refusal(of: assertion(wait: .seconds(-1), at: now), at: now) == .late)
        // However long it says to wait.
        #expect(refusal(of: assertion(wait: .seconds(3600), at: now - 28_999), at: now) == nil)
        #expect(refusal(of: assertion(wait: .seconds(3600), at: now - 29_000), at: now) == .late)
        #expect(refusal(of: assertion(at: .min), at: now) != nil)
        #expect(refusal(of: assertion(at: .max), at: now) == .ahead)
    }

    @Test func `what is left of the wait is the call's deadline, on the clock that goes on in sleep`() throws {
        let call = try verifier().verify(
            assertion(wait: .seconds(20), at: start + 1_000), of: Self.request(), now: start + 1_500)
        #expect(call.deadline.rest > .milliseconds(1_000) && call.deadline.rest <= .milliseconds(18_500))
        #expect(!call.deadline.hasPassed)
        // A clock that is ahead by less than the limit gives no call more time.
        let early = try verifier().verify(assertion(at: start + 500), of: Self.request(), now: start)
        #expect(early.deadline.rest <= .seconds(2))
    }

    @Test func `a caller's clock may be half a second ahead`() {
        let now = start + 100_000
        #expect(refusal(of: assertion(at: now + 500), at: now) == nil)
        #expect(refusal(of: assertion(at: now + 501), at: now) == .ahead)
    }

    @Test func `a caller whose clock was ahead is refused until it has fitted for two seconds`() {
        let now = start + 100_000
        let verifier = verifier()
        let second: Int64 = 1_000_000_000
        func judge(_ shift: Int64, _ ticks: Int64) -> AssertionRefusal? {
            refusal(of: assertion(at: now + shift), by: verifier, at: now, ticks: ticks)
        }
        #expect(judge(0, 0) == nil)
        #expect(judge(2_000, second) == .ahead)
        // One that was held up for two seconds looks like a fresh one.
        #expect(judge(0, 60 * second) == .ahead)
        #expect(judge(0, 61 * second) == .ahead)
        #expect(judge(2_000, 61 * second + 1) == .ahead)
        #expect(judge(0, 100 * second) == .ahead)
        #expect(judge(0, 102 * second - 1) == .ahead)
        #expect(judge(0, 102 * second) == nil)
        #expect(judge(0, 102 * second) == nil)
    }

    @Test func `an assertion is good once`() {
        let verifier = verifier()
        let header = assertion(wait: .seconds(30))
        #expect(refusal(of: header, by: verifier) == nil)
        #expect(refusal(of: header, by: verifier) == .replayed)
        #expect(refusal(of: header, by: verifier, at: start + 29_000) == .replayed)
    }

    @Test func `a nonce outlives the setting of the clock`() {
        let nonces = NonceMemory(lifetimeMilliseconds: 60_000)
        #expect(nonces.insert([1], now: 1_000))
        #expect(!nonces.insert([1], now: 60_999) && !nonces.insert([1], now: 119_999))
        let verifier = verifier()
        let header = assertion(wait: .seconds(30))
        #expect(refusal(of: header, by: verifier) == nil)
        // Set forward by hours, for a moment, and back.
        let later = start + 9_000_000
        #expect(refusal(of: assertion(wait: .seconds(30), at: later), by: verifier, at: later) == nil)
        #expect(refusal(of: header, by: verifier) == .replayed)
    }

    @Test func `an assertion from before the process started is refused`() {
        #expect(refusal(of: assertion(at: start - 1)) == .olderThanProcess)
    }

    @Test func `one of a hundred concurrent uses of an assertion passes`() async {
        let verifier = verifier()
        let header = assertion()
        let passed = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { self.refusal(of: header, by: verifier) == nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(passed == 1)
    }

    @Test func `the second live key verifies, a key that is gone does not`() throws {
        let rotated = try KeyRing([KeyRing.Key](arrayLiteral: try #require(keys["k1"])))
        #expect(refusal(of: assertion(keys: rotated)) == nil)
        let gone = try KeyRing(parsing: "k9 \(Hex.encode(SecureRandom.bytes(32)))")
        #expect(refusal(of: assertion(keys: gone)) == .unknownKey)
    }

    // MARK: Answers

    private func isGood(_ value: [UInt8], for call: SignedCall, _ status: Int, _ body: String) -> Bool {
        call.proof.isGood(value, status: status, body: Array(body.utf8).span)
    }

    @Test func `an answer's proof covers the call, the status and the body`() throws {
        let signer = AssertionSigner(caller: .gateway, service: "token", keys: keys)
        let call = signer.sign(Self.request(), wait: .seconds(3), now: start + 1)
        let accepted = try verifier().verify(call.text, of: Self.request(), now: start + 2)
        let value = accepted.proof.value(status: 200, body: Array("{}".utf8).span)
        #expect(isGood(value, for: call, 200, "{}"))
        #expect(!isGood(value, for: call, 201, "{}"))
        #expect(!isGood(value, for: call, 20, "0{}"))
        #expect(!isGood(value, for: call, 200, "{ }"))
        #expect(!isGood(Array(value.dropLast()), for: call, 200, "{}"))
        #expect(!isGood([], for: call, 200, "{}"))
        #expect(!isGood(value, for: signer.sign(Self.request(), wait: .seconds(3), now: start + 1), 200, "{}"))
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
