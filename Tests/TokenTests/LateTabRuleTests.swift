import InternalAPI
import Policies
import Testing

@testable import TokenCore

/// Every branch of the rule for tokens that another tab of a page has replaced, without a database.
@Suite struct LateTabRuleTests {
    private static let now: Int64 = 1_000_000
    private let keys: RefreshTokenKeys
    private let page = PageKey(secret: Array(0..<32), prefix: "rt_")
    /// The tokens of a page in the order of their generations.
    private let tokens: [RefreshToken]

    init() throws {
        let keys = RefreshTokenKeys(ring: try TokenFixture.ring())
        var tokens = [keys.newest.make(locator: 7, generation: 0, secret: [UInt8](repeating: 1, count: 16))]
        for generation in 0..<6 {
            let seed = try #require(page.idempotencyKey(for: tokens[generation])).bytes
            tokens.append(keys.newest.successor(of: tokens[generation], seed: seed))
        }
        (self.keys, self.tokens) = (keys, tokens)
    }

    /// A session in the newest generation, which began `age` seconds ago.
    private func session(_ marks: RotationMarks, age: Int64 = 0, late: LateRepeats = LateRepeats()) -> SessionRecord {
        SessionRecord(
            locator: 7, id: SessionID.new(at: 0), userID: "usr_1", epoch: 0, dialect: "native", method: "sms",
            currentHash: tokens[6].hash, previousHash: tokens[5].hash, generation: 6,
            salt: [UInt8](repeating: 0, count: 16), createdAt: 0, lastUsedAt: Self.now - age,
            idleExpiresAt: Self.now + 100, absoluteExpiresAt: nil, accessExpiresAt: Self.now + 10, lateRepeats: late,
            marks: marks, device: nil, network: nil, pageHash: [1], sealedClaims: [])
    }

    private func judge(
        _ session: SessionRecord, _ token: RefreshToken, page: PageKey?, lateTabSeconds: Int64 = 120,
        policy: RefreshPolicy = RefreshPolicy()
    ) -> RotationVerdict {
        let attempt = RotationAttempt(
            token: token, idempotencyKey: page?.idempotencyKey(for: token), salt: [9],
            page: page.map { PresentingPage(key: $0, lateTabSeconds: lateTabSeconds) })
        return RotationRule.judge(session, attempt, policy: policy, keys: keys, now: Self.now)
    }

    /// Marks by which the tokens from generation 2 on count.
    private func marks(_ age: Int64 = 0) -> RotationMarks {
        RotationMarks(
            newer: .init(generation: 5, at: Self.now - age - 10), older: .init(generation: 3, at: Self.now - age - 150))
    }

    @Test func `a token within the window has the newest one, an older one ends the session`() {
        let session = session(marks())
        for generation in 2...5 {
            #expect(judge(session, tokens[generation], page: page) == .repeatAnswer(successor: tokens[6]))
        }
        for generation in 0...1 {
            #expect(judge(session, tokens[generation], page: page) == .reuse(revokes: true))
        }
    }

    @Test func `the older mark counts until two windows before the newest rotation, then the newer one does`() {
        for (age, lowest) in [(240, 2), (241, 4)] as [(Int64, Int)] {
            let marks = RotationMarks(
                newer: .init(generation: 5, at: Self.now - 100), older: .init(generation: 3, at: Self.now - age))
            for generation in 0...5 {
                let expected =
                    generation >= lowest
                    ? RotationVerdict.repeatAnswer(successor: tokens[6]) : .reuse(revokes: true)
                #expect(judge(session(marks), tokens[generation], page: page) == expected, "\(age), \(generation)")
            }
        }
    }

    @Test(arguments: [60, 61, 7_200, 30 * 86_400] as [Int64])
    func `however late it comes it is answered, and more than a minute late it counts as a late repeat`(age: Int64) {
        let verdict = judge(session(marks(age), age: age), tokens[3], page: page)
        guard age > 60 else { return #expect(verdict == .repeatAnswer(successor: tokens[6])) }
        let mark = RotationMarks.Mark(generation: 3, at: Self.now)
        #expect(
            verdict
                == .repeatAnswer(
                    successor: tokens[6], late: LateRepeats(count: 1, generation: 6),
                    marks: RotationMarks(newer: mark, older: mark)))
        var profile = TokenProfile(name: "web", algorithm: "ES256")
        profile.accessLifetimeSeconds = 3_600
        #expect(verdict.accessLifetimeSeconds(under: profile) == 300 && verdict.repeatableRecord == .lateRepeat)
    }

    @Test func `a run of late repeats ends the session at the policy's number`() {
        var policy = RefreshPolicy()
        policy.lateRepeatsMax = 3
        for (count, ends) in [(1, false), (2, true)] as [(Int64, Bool)] {
            let session = session(marks(100), age: 100, late: LateRepeats(count: count, generation: 5))
            let verdict = judge(session, tokens[2], page: page, policy: policy)
            #expect((verdict == .reuse(revokes: true)) == ends)
        }
    }

    @Test func `a chain that does not lead to the newest token is superseded`() {
        let other = PageKey(secret: Array(1...32), prefix: "rt_")
        for generation in 2...5 { #expect(judge(session(marks()), tokens[generation], page: other) == .lateCopy) }
        #expect(judge(session(marks()), tokens[1], page: other) == .reuse(revokes: true))
        let forged = keys.newest.make(locator: 7, generation: 4, secret: [UInt8](repeating: 2, count: 16))
        #expect(judge(session(marks()), forged, page: page) == .lateCopy)
        let unissued = keys.newest.make(locator: 7, generation: 5, secret: [UInt8](repeating: 2, count: 16))
        #expect(judge(session(marks()), unissued, page: page) == .impossible)
    }

    @Test func `an app's session has no late tabs`() {
        for generation in 0...5 {
            #expect(judge(session(marks()), tokens[generation], page: nil) == .reuse(revokes: true))
        }
    }

    @Test func `0 seconds leave the token before the newest one, and late copies`() {
        let session = session(marks())
        #expect(judge(session, tokens[5], page: page, lateTabSeconds: 0) == .repeatAnswer(successor: tokens[6]))
        #expect(judge(session, tokens[4], page: page, lateTabSeconds: 0) == .lateCopy)
        #expect(judge(session, tokens[3], page: page, lateTabSeconds: 0) == .reuse(revokes: true))
    }

    @Test func `under refuse an older token leaves the session, as before`() {
        var policy = RefreshPolicy()
        policy.onReuse = .refuse
        #expect(judge(session(marks()), tokens[0], page: page, policy: policy) == .reuse(revokes: false))
        #expect(judge(session(marks()), tokens[2], page: page, policy: policy) == .repeatAnswer(successor: tokens[6]))
    }

    @Test func `an ended session answers no tab`() {
        var ended = session(marks())
        ended.revokedFor = .logout
        #expect(judge(ended, tokens[3], page: page) == .refuse(.revoked))
        ended.revokedFor = nil
        ended.idleExpiresAt = Self.now
        #expect(judge(ended, tokens[3], page: page) == .refuse(.expired))
    }

    @Test func `the newest token rotates, and moves the marks`() {
        let verdict = judge(session(marks(200), age: 200), tokens[6], page: page)
        guard case .rotate(let rotation) = verdict else { return #expect(Bool(false), "\(verdict)") }
        #expect(rotation.marks?.newer == .init(generation: 7, at: Self.now) && rotation.marks?.older.generation == 5)
    }
}
