import CryptoPrimitives
import ServiceKit
import Testing

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

    private func assertion(
        caller: Caller = .gateway, service: String = "token", keys: KeyRing? = nil, method: String = "POST",
        path: String = "/internal/sessions?a=1", body: [UInt8] = Array("{}".utf8), at time: Int64? = nil
    ) -> String {
        AssertionSigner(caller: caller, service: service, keys: keys ?? self.keys)
            .assertion(method: method, path: path, body: body, now: time ?? start + 1)
    }

    private func refusal(of header: String?, at now: Int64? = nil) -> AssertionRefusal? {
        refusal(of: header, by: verifier(), at: now)
    }

    private func refusal(of header: String?, by verifier: AssertionVerifier, at now: Int64? = nil) -> AssertionRefusal?
    {
        do throws(AssertionRefusal) {
            _ = try verifier.verify(
                header, method: "POST", path: "/internal/sessions?a=1", body: Array("{}".utf8), now: now ?? start + 2)
            return nil
        } catch { return error }
    }

    @Test func `a true assertion names its caller`() throws {
        let caller = try verifier().verify(
            assertion(), method: "POST", path: "/internal/sessions?a=1", body: Array("{}".utf8), now: start + 2)
        #expect(caller == .gateway)
    }

    @Test func `a request without an assertion is refused`() {
        #expect(refusal(of: nil) == .missing)
        #expect(refusal(of: "") == .malformed)
        #expect(refusal(of: String(repeating: ";", count: 100_000)) == .malformed)
    }

    @Test func `an assertion with another pair's key is refused`() {
        #expect(refusal(of: assertion(keys: otherKeys)) == .forged)
        #expect(refusal(of: assertion(caller: .user)) == .unknownCaller)
        #expect(refusal(of: assertion(service: "user")) == .forged)
    }

    @Test func `an altered method, path, query or body is refused`() {
        #expect(refusal(of: assertion(method: "GET")) == .forged)
        #expect(refusal(of: assertion(path: "/internal/session?a=1")) == .forged)
        #expect(refusal(of: assertion(path: "/internal/sessions?a=2")) == .forged)
        #expect(refusal(of: assertion(body: Array("{ }".utf8))) == .forged)
    }

    @Test func `a stale assertion is refused, one within thirty seconds either way is not`() {
        let now = start + 100_000
        #expect(refusal(of: assertion(at: now - 30_001), at: now) == .stale)
        #expect(refusal(of: assertion(at: now + 30_001), at: now) == .stale)
        #expect(refusal(of: assertion(at: now - 30_000), at: now) == nil)
        #expect(refusal(of: assertion(at: now + 30_000), at: now) == nil)
    }

    @Test func `an assertion is good once`() {
        let verifier = verifier()
        let header = assertion()
        #expect(refusal(of: header, by: verifier) == nil)
        #expect(refusal(of: header, by: verifier) == .replayed)
        #expect(refusal(of: header, by: verifier, at: start + 30_000) == .replayed)
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
}
