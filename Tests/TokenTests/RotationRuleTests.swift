import InternalAPI
import Policies
import Testing

@testable import TokenCore

// Cited by Tests/Compat/statements.md for H66.

/// Every row of the rotation table (design section 5), without a database.
@Suite struct RotationRuleTests {
    private static let now: Int64 = 1_000_000
    private let keys: RefreshTokenKeys
    private let first: RefreshToken
    private let second: RefreshToken
    private let third: RefreshToken
    private let key = IdempotencyKey("6c1f-one")

    init() throws {
        keys = RefreshTokenKeys(ring: try TokenFixture.ring())
        first = keys.newest.make(locator: 7, generation: 0, secret: [UInt8](repeating: 1, count: 16))
        second = keys.newest.successor(of: first, seed: Array("6c1f-one".utf8))
        third = keys.newest.successor(of: second, seed: Array("6c1f-two".utf8))
    }

    /// A session at `current`, whose predecessor is `previous`, rotated `age` seconds ago.
    private func session(
        _ current: RefreshToken, after previous: RefreshToken?, age: Int64 = 0, salt: [UInt8]? = nil,
        revokedFor: RevocationReason? = nil, idleExpiresAt: Int64 = now + 100, absoluteExpiresAt: Int64? = nil
    ) throws -> SessionRecord {
        SessionRecord(
            locator: 7, id: SessionID.new(at: 0), userID: "usr_1", epoch: 0, dialect: "native", method: "sms",
            currentHash: current.hash, previousHash: previous?.hash ?? [UInt8](repeating: 0, count: 32),
            generation: current.generation, salt: salt ?? [UInt8](repeating: 0, count: 16), createdAt: Self.now - age,
            lastUsedAt: Self.now - age, idleExpiresAt: idleExpiresAt, absoluteExpiresAt: absoluteExpiresAt,
            accessExpiresAt: Self.now + 10, revokedFor: revokedFor, device: nil, network: nil, sealedClaims: [])
    }

    private func judge(
        _ session: SessionRecord?, _ token: RefreshToken, key: IdempotencyKey? = nil, salt: [UInt8] = [9, 9],
        policy: RefreshPolicy = RefreshPolicy()
    ) -> RotationVerdict {
        RotationRule.judge(
            session, RotationAttempt(token: token, idempotencyKey: key, salt: salt), policy: policy, keys: keys,
            now: Self.now)
    }

    @Test func `the current token is rotated to the successor of its key`() throws {
        let decision = judge(try session(first, after: nil), first, key: key)
        guard case .rotate(let rotation) = decision else { return #expect(Bool(false), "\(decision)") }
        #expect(rotation.successor == second)
        #expect(rotation.salt == key?.mark)
        #expect(rotation.idleExpiresAt == Self.now + RefreshPolicy().idleLifetimeSeconds)
    }

    @Test func `without a key the successor comes of random bytes that are kept`() throws {
        let salts: [[UInt8]] = [[1], [2]]
        let successors = try salts.map { salt -> RefreshToken? in
            guard case .rotate(let rotation) = judge(try session(first, after: nil), first, salt: salt) else {
                return nil
            }
            #expect(rotation.salt == salt)
            return rotation.successor
        }
        #expect(successors[0] != nil && successors[0] != successors[1])
    }

    @Test func `a fixed lifetime is not begun anew`() throws {
        var policy = RefreshPolicy()
        policy.sliding = false
        guard case .rotate(let rotation) = judge(try session(first, after: nil), first, policy: policy) else {
            return #expect(Bool(false))
        }
        #expect(rotation.idleExpiresAt == Self.now + 100)
    }

    private static let firstLate = LateRepeats(count: 1, generation: 1)

    @Test(arguments: [(0, nil), (60, nil), (61, firstLate), (30 * 86_400, firstLate)] as [(Int64, LateRepeats?)])
    func `the previous token with its key yields the same successor however late`(
        age: Int64, late: LateRepeats?
    ) throws {
        let held = try session(second, after: first, age: age)
        #expect(judge(held, first, key: key) == .repeatAnswer(successor: second, late: late))
    }

    @Test func `a run of late repeats counts each generation once and starts again after a gap`() {
        let run = [1, 2, 2, 3, 5, 6].reduce(into: [LateRepeats()]) { runs, generation in
            runs.append(runs[runs.count - 1].counting(generation: generation))
        }
        #expect(run.dropFirst().map(\.count) == [1, 2, 2, 3, 1, 2])
    }

    @Test(arguments: [(nil, 400, false), (5, 3, false), (5, 4, true), (5, 40, true)] as [(Int64?, Int64, Bool)])
    func `a run of late repeats ends the session only at the policy's number`(
        max: Int64?, before: Int64, ends: Bool
    ) throws {
        var policy = RefreshPolicy()
        policy.lateRepeatsMax = max
        var held = try session(third, after: second, age: 61)
        held.lateRepeats = LateRepeats(count: before, generation: 1)
        let expected: RotationVerdict =
            ends
            ? .reuse(revokes: true)
            : .repeatAnswer(successor: third, late: LateRepeats(count: before + 1, generation: 2))
        #expect(judge(held, second, key: IdempotencyKey("6c1f-two"), policy: policy) == expected)
    }

    @Test func `a late answer's access token lives five minutes, or less where the policy says so`() {
        var profile = TokenProfile(name: "mobile", algorithm: "ES256")
        for (lifetime, late) in [(3600, 300), (300, 300), (60, 60)] as [(Int64, Int64)] {
            profile.accessLifetimeSeconds = lifetime
            let answers = [nil, Self.firstLate].map { RotationVerdict.repeatAnswer(successor: second, late: $0) }
            #expect(answers.map { $0.accessLifetimeSeconds(under: profile) } == [lifetime, late])
        }
    }

    @Test func `with another key and with none the previous token is reuse`() throws {
        let other = IdempotencyKey("another")
        #expect(judge(try session(second, after: first), first, key: other) == .reuse(revokes: true))
        #expect(judge(try session(second, after: first), first) == .reuse(revokes: true))
    }

    // MARK: - Copies

    @Test(
        arguments: [(0, RotationVerdict.lateCopy), (59, .lateCopy), (60, .reuse(revokes: true))]
            as [(Int64, RotationVerdict)])
    func `a copy with its own key behind the next rotation is refused, and later it is theft`(
        age: Int64, expected: RotationVerdict
    ) throws {
        #expect(judge(try session(third, after: second, age: age), first, key: key) == expected)
    }

    @Test func `another's key, none, and a copy from two rotations ago are theft at once`() throws {
        let held = try session(third, after: second)
        for wrong in [IdempotencyKey("another"), IdempotencyKey("6c1f-two"), nil] {
            #expect(judge(held, first, key: wrong) == .reuse(revokes: true))
        }
        let fourth = keys.newest.successor(of: third, seed: Array("6c1f-three".utf8))
        #expect(judge(try session(fourth, after: third), first, key: key) == .reuse(revokes: true))
    }

    @Test func `a copy that names the right generation and is not ours proves nothing`() throws {
        let forged = keys.newest.make(locator: 7, generation: 0, secret: [UInt8](repeating: 2, count: 16))
        #expect(judge(try session(third, after: second), forged, key: key) == .reuse(revokes: true))
    }

    // MARK: - Keys

    @Test func `the key that made a token is no key for it, and another one is`() throws {
        guard case .rotate(let rotation) = judge(try session(first, after: nil), first, key: key) else {
            return #expect(Bool(false))
        }
        let held = try session(second, after: first, salt: rotation.salt)
        #expect(judge(held, second, key: key) == .usedKey)
        guard case .rotate = judge(held, second, key: IdempotencyKey("6c1f-two")) else {
            return #expect(Bool(false))
        }
        // It still brings back the answer that it belongs to, and no key at all is none that was used.
        #expect(judge(held, first, key: key) == .repeatAnswer(successor: second))
        guard case .rotate = judge(held, second) else { return #expect(Bool(false)) }
    }

    @Test func `a row from before keys left their mark works on`() throws {
        let held = try session(second, after: first)
        guard case .rotate = judge(held, second, key: key) else { return #expect(Bool(false)) }
        #expect(judge(held, first, key: key) == .repeatAnswer(successor: second))
    }

    @Test func `what a key leaves in the row makes no successor without it`() throws {
        var policy = RefreshPolicy()
        policy.repeatWithoutKeySeconds = 600
        let mark = try #require(key).mark
        let held = try session(second, after: first, salt: mark)
        #expect(judge(held, first, policy: policy) == .reuse(revokes: true))
        #expect(judge(held, first, salt: mark, policy: policy) == .reuse(revokes: true))
    }

    // MARK: - Without a key

    @Test func `the policy may repeat without key within its window, from the kept bytes`() throws {
        var policy = RefreshPolicy()
        policy.repeatWithoutKeySeconds = 600
        let salt = [UInt8](repeating: 5, count: 16)
        let salted = keys.newest.successor(of: first, seed: salt)
        func decision(age: Int64) throws -> RotationVerdict {
            judge(try session(salted, after: first, age: age, salt: salt), first, policy: policy)
        }
        #expect(try decision(age: 60) == .repeatAnswer(successor: salted))
        #expect(try decision(age: 600) == .repeatAnswer(successor: salted, late: Self.firstLate))
        #expect(try decision(age: 601) == .reuse(revokes: true))
        // Rotated with a key: only that key repeats.
        #expect(judge(try session(second, after: first), first, policy: policy) == .reuse(revokes: true))
    }

    @Test func `a call that our own processes repeat has its answer again, and another call has not`() throws {
        let salt = [UInt8](repeating: 5, count: 16)
        let salted = keys.newest.successor(of: first, seed: salt)
        func decision(age: Int64, salt attempted: [UInt8]) throws -> RotationVerdict {
            judge(try session(salted, after: first, age: age, salt: salt), first, salt: attempted)
        }
        #expect(try decision(age: 60, salt: salt) == .repeatAnswer(successor: salted))
        #expect(try decision(age: 61, salt: salt) == .reuse(revokes: true))
        #expect(try decision(age: 0, salt: [UInt8](repeating: 6, count: 16)) == .reuse(revokes: true))
    }

    @Test func `under refuse no used token of any age ends the session`() throws {
        var policy = RefreshPolicy()
        policy.onReuse = .refuse
        #expect(judge(try session(second, after: first), first, policy: policy) == .reuse(revokes: false))
        #expect(judge(try session(third, after: second), first, policy: policy) == .reuse(revokes: false))
        #expect(
            judge(try session(third, after: second, age: 61), first, key: key, policy: policy) == .reuse(revokes: false)
        )
    }

    @Test func `a good tag on a token that cannot be revokes nothing`() throws {
        let forged = keys.newest.make(locator: 7, generation: 0, secret: [UInt8](repeating: 2, count: 16))
        #expect(judge(try session(first, after: nil), forged) == .impossible)
        #expect(judge(try session(second, after: first), forged) == .impossible)
        #expect(judge(try session(first, after: nil), second) == .impossible)
    }

    @Test func `revoked, expired and unknown sessions are refused for what they are`() throws {
        #expect(judge(nil, first) == .refuse(.unknown))
        #expect(judge(try session(first, after: nil, revokedFor: .logout), first) == .refuse(.revoked))
        #expect(judge(try session(first, after: nil, revokedFor: .inactive), first) == .refuse(.inactive))
        #expect(judge(try session(first, after: nil, idleExpiresAt: Self.now), first) == .refuse(.expired))
        #expect(judge(try session(first, after: nil, absoluteExpiresAt: Self.now), first) == .refuse(.expired))
        // Revoked wins over everything that an old token could say.
        #expect(judge(try session(third, after: second, revokedFor: .reuse), first) == .refuse(.revoked))
    }

    @Test func `a session whose generations are used up has expired`() throws {
        let last = keys.newest.make(
            locator: 7, generation: RefreshToken.generationMax, secret: [UInt8](repeating: 1, count: 16))
        #expect(judge(try session(last, after: nil), last) == .refuse(.expired))
    }

    @Test func `a repeat works across a change of the server key`() throws {
        let lines = TokenFixture.lines(2)
        let both = try TokenFixture.ring(lines)
        let before = RefreshTokenKeys(ring: try TokenFixture.ring([lines[1]]))
        let token = before.newest.make(locator: 7, generation: 0, secret: [UInt8](repeating: 1, count: 16))
        let successor = before.newest.successor(of: token, seed: Array("6c1f-one".utf8))
        let decision = RotationRule.judge(
            try session(successor, after: token), RotationAttempt(token: token, idempotencyKey: key, salt: []),
            policy: RefreshPolicy(), keys: RefreshTokenKeys(ring: both), now: Self.now)
        #expect(decision == .repeatAnswer(successor: successor))
    }
}
