import InternalAPI
import Policies
import Testing

@testable import TokenCore

/// Every row of the rotation table (design section 5), without a database.
@Suite struct RotationRuleTests {
    private static let now: Int64 = 1_000_000
    private let keys: RefreshTokenKeys
    private let first: RefreshToken
    private let second: RefreshToken
    private let third: RefreshToken
    private let key = IdempotencyKey("6c1f-one")

    init() throws {
        keys = RefreshTokenKeys(ring: try TokenBench.ring())
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
    ) -> RotationDecision {
        RotationRule.judge(
            session, RotationAttempt(token: token, idempotencyKey: key, salt: salt), policy: policy, keys: keys,
            now: Self.now)
    }

    @Test func `the current token is rotated to the successor of its key`() throws {
        let decision = judge(try session(first, after: nil), first, key: key)
        guard case .rotate(let rotation) = decision else { return #expect(Bool(false), "\(decision)") }
        #expect(rotation.successor == second)
        #expect(rotation.salt == [UInt8](repeating: 0, count: 16))
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

    @Test(arguments: [0, 59, 60])
    func `the previous token with the same key yields the same successor for 60 seconds`(age: Int64) throws {
        #expect(judge(try session(second, after: first, age: age), first, key: key) == .repeatAnswer(successor: second))
    }

    @Test func `after 61 seconds, with another key, and with none it is reuse`() throws {
        #expect(judge(try session(second, after: first, age: 61), first, key: key) == .reuse(revokes: true))
        let other = IdempotencyKey("another")
        #expect(judge(try session(second, after: first), first, key: other) == .reuse(revokes: true))
        #expect(judge(try session(second, after: first), first) == .reuse(revokes: true))
    }

    @Test func `once the successor is used even the same key is reuse`() throws {
        #expect(judge(try session(third, after: second), first, key: key) == .reuse(revokes: true))
    }

    @Test func `the policy may repeat without key within its window, from the kept bytes`() throws {
        var policy = RefreshPolicy()
        policy.repeatWithoutKeySeconds = 10
        let salt = [UInt8](repeating: 5, count: 16)
        let salted = keys.newest.successor(of: first, seed: salt)
        func decision(age: Int64) throws -> RotationDecision {
            judge(try session(salted, after: first, age: age, salt: salt), first, policy: policy)
        }
        #expect(try decision(age: 10) == .repeatAnswer(successor: salted))
        #expect(try decision(age: 11) == .reuse(revokes: true))
        // Rotated with a key: only that key repeats.
        #expect(judge(try session(second, after: first), first, policy: policy) == .reuse(revokes: true))
    }

    @Test func `a call that our own processes repeat has its answer again, and another call has not`() throws {
        let salt = [UInt8](repeating: 5, count: 16)
        let salted = keys.newest.successor(of: first, seed: salt)
        func decision(age: Int64, salt attempted: [UInt8]) throws -> RotationDecision {
            judge(try session(salted, after: first, age: age, salt: salt), first, salt: attempted)
        }
        #expect(try decision(age: 60, salt: salt) == .repeatAnswer(successor: salted))
        #expect(try decision(age: 61, salt: salt) == .reuse(revokes: true))
        #expect(try decision(age: 0, salt: [UInt8](repeating: 6, count: 16)) == .reuse(revokes: true))
    }

    @Test func `under refuse the immediate predecessor spares the session and older ones do not`() throws {
        var policy = RefreshPolicy()
        policy.onReuse = .refuse
        #expect(judge(try session(second, after: first), first, policy: policy) == .reuse(revokes: false))
        #expect(judge(try session(third, after: second), first, policy: policy) == .reuse(revokes: true))
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
        let lines = TokenBench.lines(2)
        let both = try TokenBench.ring(lines)
        let before = RefreshTokenKeys(ring: try TokenBench.ring([lines[1]]))
        let token = before.newest.make(locator: 7, generation: 0, secret: [UInt8](repeating: 1, count: 16))
        let successor = before.newest.successor(of: token, seed: Array("6c1f-one".utf8))
        let decision = RotationRule.judge(
            try session(successor, after: token), RotationAttempt(token: token, idempotencyKey: key, salt: []),
            policy: RefreshPolicy(), keys: RefreshTokenKeys(ring: both), now: Self.now)
        #expect(decision == .repeatAnswer(successor: successor))
    }
}
