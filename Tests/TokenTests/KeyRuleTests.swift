import AccessTokens
import InternalAPI
import Policies
import Testing

@testable import TokenCore

/// The life of signing keys by the clock: every state before, at and after its time.
@Suite struct KeyRuleTests {
    private static let start: Int64 = 1_000_000
    private static let (lead, period, tokens): (Int64, Int64, Int64) = (330, 86_400, 3_660)

    private func rule(_ algorithms: [SignatureAlgorithm] = [.ES256]) -> KeyRule {
        KeyRule(
            leadSeconds: Self.lead, rotationSeconds: Self.period, tokenSeconds: Self.tokens, algorithms: algorithms)
    }

    private func key(
        _ keyID: String, _ state: KeyState, _ algorithm: SignatureAlgorithm = .ES256, since: Int64 = start,
        tokenSeconds: Int64 = tokens
    ) -> SigningKeyRecord {
        SigningKeyRecord(
            keyID: keyID, algorithm: algorithm, state: state, stateSince: since, createdAt: since,
            tokenSeconds: tokenSeconds, sealed: [])
    }

    private func due(_ keys: [SigningKeyRecord], after seconds: Int64) -> [KeyStep] {
        rule().due(keys, now: Self.start + seconds)
    }

    @Test func `with no key one is made that signs at once, for each algorithm`() {
        #expect(due([], after: 0) == [.make(.ES256, as: .signing)])
        #expect(
            rule([.RS256, .EdDSA]).due([], now: 0) == [.make(.RS256, as: .signing), .make(.EdDSA, as: .signing)])
        #expect(rule([]).due([], now: 0) == [])
    }

    @Test func `a successor is published a lead time before it is needed`() {
        let keys = [key("a", .signing)]
        for early in [-Self.period, 0, Self.period - Self.lead - 1] { #expect(due(keys, after: early) == []) }
        for late in [Self.period - Self.lead, Self.period, 9 * Self.period] {
            #expect(due(keys, after: late) == [.make(.ES256, as: .published)])
        }
    }

    @Test func `it signs after the lead time and not a second earlier, and then the old one retires`() {
        let keys = [key("a", .signing, since: 0), key("b", .published)]
        for early in [-1, 0, Self.lead - 1] { #expect(due(keys, after: early) == []) }
        for late in [Self.lead, 9 * Self.period] {
            #expect(due(keys, after: late) == [.move("a", to: .retiring), .move("b", to: .signing)])
        }
    }

    @Test func `without a signing key the standby signs at once, the oldest first`() {
        let keys = [key("a", .published), key("b", .published), key("c", .retiring)]
        #expect(due(keys, after: 0) == [.move("a", to: .signing)])
    }

    @Test func `a retiring key stays until its last token has expired`() {
        let others = [key("b", .signing)]
        #expect(due(others + [key("a", .retiring)], after: Self.tokens - 1) == [])
        #expect(due(others + [key("a", .retiring)], after: Self.tokens) == [.move("a", to: .gone)])
        // It signed under a policy whose tokens lived longer, or before that was noted.
        let long = key("a", .retiring, tokenSeconds: 2 * Self.tokens)
        #expect(due(others + [long], after: 2 * Self.tokens - 1) == [])
        #expect(due(others + [long], after: 2 * Self.tokens) == [.move("a", to: .gone)])
        let unknown = key("a", .retiring, tokenSeconds: 0)
        #expect(due(others + [unknown], after: Self.tokens - 1) == [])
    }

    @Test func `longer tokens are noted with the keys that sign them`() {
        let keys = [key("a", .signing, tokenSeconds: 10), key("b", .published, tokenSeconds: 10)]
        #expect(
            due(keys, after: 0)
                == [.widen("a", tokenSeconds: Self.tokens), .widen("b", tokenSeconds: Self.tokens)])
    }

    @Test func `another algorithm gets a key at once, and the old one's serves its time without a successor`() {
        let old = key("a", .signing, .RS256)
        #expect(due([old], after: 0) == [.make(.ES256, as: .signing)])
        let keys = [old, key("w", .published, .RS256), key("b", .signing)]
        #expect(due(keys, after: Self.lead) == [])
        let steps = rule().due([old, key("w", .published, .RS256)], now: Self.start + Self.period)
        #expect(steps == [.move("a", to: .retiring), .move("w", to: .gone), .make(.ES256, as: .signing)])
    }

    @Test func `algorithms do not disturb each other`() {
        let rule = rule([.RS256, .ES256])
        let keys = [key("a", .signing, .RS256, since: 0), key("b", .published, .RS256), key("c", .signing)]
        #expect(
            rule.due(keys, now: Self.start + Self.lead) == [.move("a", to: .retiring), .move("b", to: .signing)])
    }

    @Test func `whatever happens when, a key signs only after its lead time, and one always signs`() {
        var keys: [SigningKeyRecord] = []
        var made = 0
        for now in stride(from: Self.start, to: Self.start + 4 * Self.period, by: 97) {
            // The timer is away now and then.
            if now % 7 == 0 { continue }
            for step in rule().due(keys, now: now) {
                switch step {
                case .make(_, let state):
                    made += 1
                    keys.append(key("k\(made)", state, since: now))
                case .move(let keyID, let state):
                    guard let index = keys.firstIndex(where: { $0.keyID == keyID }) else { continue }
                    if state == .signing { #expect(now - keys[index].stateSince >= Self.lead) }
                    (keys[index].state, keys[index].stateSince) = (state, now)
                case .widen: Issue.record("nothing to note")
                }
            }
            keys.removeAll { $0.state == .gone }
            #expect(keys.count { $0.state == .signing } == 1)
            #expect(rule().due(keys, now: now) == [], "what is done leaves nothing due")
        }
        // The first, and one for each whole period that is over.
        #expect(made == 4)
    }
}
