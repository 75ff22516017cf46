import InternalAPI
import Policies
import Storage
import TestSupport
import Testing

@testable import TokenCore

/// `repeatWithoutKeySeconds: untilUsed`: each row of the table of refreshes, as a rule and on both engines.
@Suite struct UntilUsedRefreshTests {
    // MARK: - The rule

    private static let now: Int64 = 1_000_000
    private static let salt = [UInt8](repeating: 5, count: RotationRule.saltByteCount)

    enum Outcome: Sendable {
        case rotated, repeated, repeatedLate, kept, ended
    }

    /// - Parameters:
    ///   - steps: how many rotations the presented token is behind the current one.
    ///   - age: how long ago the newest rotation was, in seconds.
    @Test(
        arguments: [
            (0, 0, .rotated), (0, 86_400, .rotated), (1, 0, .repeated), (1, 60, .repeated), (1, 61, .repeatedLate),
            (1, 86_400 * 29, .repeatedLate), (2, 0, .kept), (2, 9, .kept), (2, 10, .ended), (2, 86_400, .ended),
            (3, 0, .ended), (3, 9, .ended), (7, 0, .ended),
        ] as [(Int, Int64, Outcome)])
    func `the table`(steps: Int, age: Int64, expected: Outcome) throws {
        let keys = RefreshTokenKeys(ring: try TokenFixture.ring())
        var chain = [keys.newest.make(locator: 7, generation: 0, secret: [UInt8](repeating: 1, count: 16))]
        while chain.count < 8 { chain.append(keys.newest.successor(of: chain[chain.count - 1], seed: Self.salt)) }
        let session = SessionRecord(
            locator: 7, id: SessionID.new(at: 0), userID: "usr_1", epoch: 0, dialect: Dialect.supabase, method: "sms",
            currentHash: chain[7].hash, previousHash: chain[6].hash, generation: 7, salt: Self.salt,
            createdAt: Self.now - age, lastUsedAt: Self.now - age, idleExpiresAt: Self.now + 1, absoluteExpiresAt: nil,
            accessExpiresAt: Self.now + 10, device: nil, network: nil, sealedClaims: [])
        var policy = RefreshPolicy()
        policy.repeatWithoutKeySeconds = RefreshPolicy.untilUsed
        let attempt = RotationAttempt(token: chain[7 - steps], idempotencyKey: nil, salt: [9])
        let verdict = RotationRule.judge(session, attempt, policy: policy, keys: keys, now: Self.now)
        switch (expected, verdict) {
        case (.rotated, .rotate(let rotation)):
            #expect(rotation.successor == keys.newest.successor(of: chain[7], seed: [9]))
        case (.repeated, .repeatAnswer(let successor, late: nil, marks: nil)): #expect(successor == chain[7])
        case (.repeatedLate, .repeatAnswer(let successor, late: .some, marks: nil)): #expect(successor == chain[7])
        case (.kept, .lateCopy), (.ended, .reuse(revokes: true)): break
        default: Issue.record("\(steps) steps after \(age) s: \(verdict)")
        }
        // A limit in seconds has no slow tabs.
        policy.repeatWithoutKeySeconds = 600
        if steps > 1 {
            #expect(
                RotationRule.judge(session, attempt, policy: policy, keys: keys, now: Self.now) == .reuse(revokes: true)
            )
        }
    }

    @Test func `a page is led by its own key, and no slow tab of another kind is spared`() throws {
        let keys = RefreshTokenKeys(ring: try TokenFixture.ring())
        let first = keys.newest.make(locator: 7, generation: 0, secret: [UInt8](repeating: 1, count: 16))
        let second = keys.newest.successor(of: first, seed: Self.salt)
        let third = keys.newest.successor(of: second, seed: Self.salt)
        let session = SessionRecord(
            locator: 7, id: SessionID.new(at: 0), userID: "usr_1", epoch: 0, dialect: Dialect.native, method: "sms",
            currentHash: third.hash, previousHash: second.hash, generation: 2, salt: Self.salt, createdAt: Self.now,
            lastUsedAt: Self.now, idleExpiresAt: Self.now + 1, absoluteExpiresAt: nil, accessExpiresAt: Self.now + 10,
            device: nil, network: nil, sealedClaims: [])
        var policy = RefreshPolicy()
        policy.repeatWithoutKeySeconds = RefreshPolicy.untilUsed
        let page = PresentingPage(key: PageKey(secret: [1], prefix: ""), lateTabSeconds: 0)
        let attempt = RotationAttempt(token: first, idempotencyKey: nil, salt: [9], page: page)
        #expect(
            RotationRule.judge(session, attempt, policy: policy, keys: keys, now: Self.now) == .reuse(revokes: true))
    }

    // MARK: - The store

    @Test(arguments: DatabaseKind.allCases)
    func `a phone that lost the response goes on a month later, with a short token and a record`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await SupabaseFixture(engine)
        let first = try await fixture.signIn()
        let lost = try await fixture.rotated(first.refreshToken)
        for (seconds, isLate) in [(60, false), (1, true), (29 * 86_400, true)] as [(Int64, Bool)] {
            fixture.clock.advance(seconds)
            // With a key of its own or without: the stored bytes make the successor.
            for key in [nil, "some-key"] {
                let answer = try await fixture.refresh(first.refreshToken, key: key)
                #expect(answer.result == .repeated && answer.tokens?.refreshToken == lost.refreshToken)
                let life = try #require(answer.tokens).expiresIn
                #expect(isLate ? (285...315).contains(life) : (3_420...3_780).contains(life))
            }
        }
        #expect(try await fixture.refresh(lost.refreshToken).result == .rotated)
        let records = try await fixture.storage.storage.audit.records(AuditRequest(limit: 9)).records
        // At most one an hour.
        #expect(records.count { $0.event == "session.repeated_late" } == 2)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `twenty tabs with one token have one successor, and the session goes on with it`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await SupabaseFixture(engine)
        var token = try await fixture.signIn().refreshToken
        for _ in 0..<3 {
            let answers = try await withThrowingTaskGroup(of: RefreshAnswer.self) { [token] group in
                for tab in 0..<20 {
                    group.addTask { try await fixture.refresh(token, key: tab % 2 == 0 ? nil : "tab-\(tab)") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let successors = Set(answers.compactMap { $0.tokens?.refreshToken })
            #expect(answers.count { $0.tokens != nil } == 20 && answers.count { $0.result == .rotated } == 1)
            #expect(successors.count == 1)
            token = try #require(successors.first)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the parent's parent is refused, and ends the session only after ten seconds`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await SupabaseFixture(engine)
        let first = try await fixture.signIn()
        let second = try await fixture.rotated(first.refreshToken)
        var third = try await fixture.rotated(second.refreshToken)
        fixture.clock.advance(9)
        for _ in 0..<2 {
            let slow = try await fixture.refresh(first.refreshToken)
            #expect(slow.result == .reused && slow.reason == .superseded && slow.tokens == nil)
        }
        let live = try await fixture.refresh(second.refreshToken)
        #expect(live.result == .repeated && live.tokens?.refreshToken == third.refreshToken)
        third = try #require(live.tokens)
        fixture.clock.advance(1)
        let theft = try await fixture.refresh(first.refreshToken)
        #expect(theft.result == .reused && theft.reason == .reused)
        #expect(fixture.feed.published.contains { $0.sessionID.text == third.sessionID })
        // From now on all of its tokens are those of a revoked session.
        for token in [first, second, third] {
            let answer = try await fixture.refresh(token.refreshToken)
            #expect(answer.result == .revoked && answer.reason == .reused)
        }
    }

    /// The price of `untilUsed`: a thief of the parent goes on until the owner rotates once more, and then it shows.
    @Test(arguments: DatabaseKind.allCases)
    func `a stolen parent shows as reuse once the owner has rotated`(_ engine: DatabaseKind) async throws {
        let fixture = try await SupabaseFixture(engine)
        let stolen = try await fixture.signIn().refreshToken
        let owners = try await fixture.rotated(stolen)
        fixture.clock.advance(3_600)
        let thiefs = try #require(try await fixture.refresh(stolen).tokens)
        #expect(thiefs.refreshToken == owners.refreshToken)
        let next = try await fixture.rotated(owners.refreshToken)
        fixture.clock.advance(10)
        #expect(try await fixture.refresh(stolen).reason == .reused)
        for token in [thiefs, next] { #expect(try await fixture.refresh(token.refreshToken).result == .revoked) }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `refusals are told apart`(_ engine: DatabaseKind) async throws {
        let fixture = try await SupabaseFixture(engine)
        let out = try await fixture.signIn()
        _ = try await fixture.parts.routes.end(LogoutRequest(refreshToken: nil, accessToken: out.accessToken))
        let ended = try await fixture.refresh(out.refreshToken)
        #expect(ended.result == .revoked && ended.reason == .signedOut)
        let altered = String(out.refreshToken.dropLast()) + (out.refreshToken.hasSuffix("0") ? "1" : "0")
        #expect(try await fixture.refresh(altered).result == .unknown)
        for foreign in ["", "abcdefghijkl", "xx_" + out.refreshToken, "A" + out.refreshToken] {
            #expect(try await fixture.refresh(foreign).result == .malformed)
        }
        let idle = try await fixture.signIn()
        fixture.clock.advance(2_592_000)
        #expect(try await fixture.refresh(idle.refreshToken).result == .expired)
        let current = try await fixture.signIn()
        _ = try await fixture.parts.routes.revokeUser(
            RevokeUserRequest(userID: SupabaseFixture.user, epoch: 1, reason: .inactive))
        #expect(try await fixture.refresh(current.refreshToken).result == .inactive)
    }
}
