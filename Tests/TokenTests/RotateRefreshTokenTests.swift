import AccessTokens
import GRDB
import InternalAPI
import Testing

@testable import SQLiteStore
@testable import TokenCore

@Suite struct RotateRefreshTokenTests {
    @Test func `a rotation spends the token and carries the session on`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let signIn = try await replica.signIn(fixture)
        fixture.clock.advance(100)
        let answer = try await replica.refresh(signIn.refreshToken)
        let tokens = try #require(answer.tokens)
        #expect(answer.result == .rotated && tokens.sessionID == signIn.sessionID)
        #expect(tokens.refreshToken != signIn.refreshToken && tokens.accessToken != signIn.accessToken)
        #expect(tokens.refreshExpiresAt == fixture.clock.now + 2_592_000)
        let claims = try replica.claims(of: tokens.accessToken, policy: fixture.policy, now: fixture.clock.now)
        #expect(claims.issuedAt == fixture.clock.now && claims.additional["phone"] == .string(TokenFixture.phone))
    }

    @Test func `rotation never extends the absolute expiry`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        var token = try await replica.signIn(fixture).refreshToken
        for day in 1...89 {
            fixture.clock.advance(86_400)
            let tokens = try #require(try await replica.refresh(token).tokens, "day \(day)")
            #expect(tokens.refreshExpiresAt <= 1_700_000_000 + 7_776_000)
            token = tokens.refreshToken
        }
        fixture.clock.advance(86_400)
        #expect(try await replica.refresh(token).result == .expired)
    }

    @Test func `fifty concurrent refreshes have one success and end the session where none repeats without a key`()
        async throws
    {
        let fixture = try TokenFixture(refresh: "repeatWithoutKeySeconds: 0")
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        let token = try await replicas[0].signIn(fixture).refreshToken
        let answers = try await answers(to: token, key: { _ in nil }, replicas)
        #expect(answers.filter { $0.result == .rotated }.count == 1)
        #expect(answers.allSatisfy { [.rotated, .reused, .revoked].contains($0.result) })
        let successor = try #require(answers.compactMap(\.tokens).first)
        #expect(try await replicas[1].refresh(successor.refreshToken).result == .revoked)
        #expect(fixture.feed.published.contains { $0.sessionID.text == successor.sessionID })
    }

    @Test func `with one key all fifty have the same successor and the session lives`() async throws {
        let fixture = try TokenFixture()
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        let token = try await replicas[0].signIn(fixture).refreshToken
        let answers = try await answers(to: token, key: { _ in "the-key" }, replicas)
        #expect(answers.filter { $0.result == .rotated }.count == 1)
        #expect(answers.filter { $0.result == .repeated }.count == 49)
        let successors = Set(answers.compactMap { $0.tokens?.refreshToken })
        #expect(successors.count == 1)
        #expect(try await replicas[1].refresh(try #require(successors.first)).result == .rotated)
    }

    @Test func `under refuse the losers leave the session alive`() async throws {
        let fixture = try TokenFixture(refresh: "onReuse: refuse")
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        let token = try await replicas[0].signIn(fixture).refreshToken
        let answers = try await answers(to: token, key: { "key-\($0)" }, replicas)
        #expect(answers.filter { $0.result == .rotated }.count == 1)
        #expect(answers.filter { $0.result == .reused }.count == 49)
        let successor = try #require(answers.compactMap(\.tokens).first)
        #expect(try await replicas[1].refresh(successor.refreshToken).result == .rotated)
    }

    @Test func `under refuse a used token that comes again and again leaves one record an hour`() async throws {
        let fixture = try TokenFixture(refresh: "onReuse: refuse")
        let replica = try await fixture.replica()
        let token = try await replica.signIn(fixture).refreshToken
        let successor = try #require(try await replica.refresh(token).tokens)
        for _ in 0..<100 { #expect(try await replica.refresh(token).result == .reused) }
        #expect(try await records("session.reused", replica) == 1)
        #expect(try await replica.refresh(successor.refreshToken).result == .rotated)
        // Another used token is news.
        #expect(try await replica.refresh(successor.refreshToken).result == .reused)
        #expect(try await records("session.reused", replica) == 2)
    }

    @Test func `late repeats and late copies leave one record an hour`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let token = try await replica.signIn(fixture).refreshToken
        let next = try #require(try await replica.refresh(token, key: "one").tokens).refreshToken
        fixture.clock.advance(61)
        for _ in 0..<100 {
            let answer = try await replica.refresh(token, key: "one")
            #expect(answer.result == .repeated && answer.tokens?.expiresIn == 300)
        }
        #expect(try await records("session.repeated_late", replica) == 1)
        fixture.clock.advance(3_600)
        _ = try await replica.refresh(token, key: "one")
        #expect(try await records("session.repeated_late", replica) == 2)

        _ = try await replica.refresh(next, key: "two")
        for _ in 0..<100 { #expect(try await replica.refresh(token, key: "one").result == .reused) }
        #expect(try await records("session.reused", replica) == 1 && fixture.feed.published.isEmpty)
    }

    private func records(_ event: String, _ replica: Replica) async throws -> Int? {
        try await replica.database.withReader {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM audit WHERE event = ?", arguments: [event])
        }
    }

    private func answers(
        to token: String, key: @escaping @Sendable (Int) -> String?, _ replicas: [Replica]
    ) async throws -> [RefreshAnswer] {
        try await withThrowingTaskGroup(of: RefreshAnswer.self) { group in
            for index in 0..<50 {
                group.addTask { try await replicas[index % replicas.count].refresh(token, key: key(index)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `what a replica has done to a session since it was seen here holds here`() async throws {
        let fixture = try TokenFixture()
        let here = try await fixture.replica()
        let there = try await fixture.replica()
        func seen() async throws -> TokenSet {
            try #require(try await here.refresh(try await here.signIn(fixture).refreshToken).tokens)
        }
        let rotated = try await seen()
        let successor = try #require(try await there.refresh(rotated.refreshToken).tokens)
        #expect(try await here.refresh(successor.refreshToken).result == .rotated)
        #expect(try await here.refresh(rotated.refreshToken).result == .reused)

        let ended = try await seen()
        try await there.logout(refresh: ended.refreshToken)
        #expect(try await here.refresh(ended.refreshToken).result == .revoked)

        let changed = try await seen()
        try await there.changeRights(role: "admin", version: 4)
        let now = try #require(try await here.refresh(changed.refreshToken).tokens)
        let claims = try here.claims(of: now.accessToken, policy: fixture.policy, now: fixture.clock.now)
        #expect(claims.additional["role"] == .string("admin") && claims.version == 4)

        try await there.database.withWriter { try $0.execute(sql: "DELETE FROM sessions") }
        #expect(try await here.refresh(now.refreshToken).result == .unknown)
    }

    @Test func `of twenty generations in one second every used one ends the session`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        for used in [0, 7, 19] {
            var tokens = [try await replica.signIn(fixture).refreshToken]
            for _ in 0..<20 {
                tokens.append(try #require(try await replica.refresh(tokens[tokens.count - 1]).tokens).refreshToken)
            }
            #expect(try await replica.refresh(tokens[used]).result == .reused)
            #expect(try await replica.refresh(tokens[20]).result == .revoked)
        }
    }

    @Test func `a lost answer is repeated, also after a restart, until the successor is used`() async throws {
        let fixture = try TokenFixture()
        let token: String
        let successor: String
        do {
            let replica = try await fixture.replica()
            token = try await replica.signIn(fixture).refreshToken
            successor = try #require(try await replica.refresh(token, key: "retry").tokens).refreshToken
        }
        let replica = try await fixture.replica()
        let repeated = try await replica.refresh(token, key: "retry")
        #expect(repeated.result == .repeated && repeated.tokens?.refreshToken == successor)
        let next = try #require(try await replica.refresh(successor).tokens).refreshToken
        #expect(try await replica.refresh(token, key: "retry").result == .reused)
        // A copy on its way ends nothing.
        #expect(try await replica.refresh(next).result == .rotated)
    }

    @Test func `a phone that comes back after weeks gets its lost answer, for five minutes, and the audit says so`()
        async throws
    {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let token = try await replica.signIn(fixture).refreshToken
        let lost = try #require(try await replica.refresh(token, key: "retry").tokens)
        fixture.clock.advance(20 * 86_400)
        let answer = try await replica.refresh(token, key: "retry")
        let tokens = try #require(answer.tokens)
        #expect(answer.result == .repeated && tokens.refreshToken == lost.refreshToken)
        #expect(tokens.expiresIn == 300 && tokens.accessExpiresAt == fixture.clock.now + 300)
        let claims = try replica.claims(of: tokens.accessToken, policy: fixture.policy, now: fixture.clock.now)
        #expect(claims.expiresAt == fixture.clock.now + 300)
        #expect(try await events(replica).contains("session.repeated_late"))
        #expect(try await replica.refresh(tokens.refreshToken, key: "next").tokens?.expiresIn == 3600)
    }

    @Test func `an end is told to gateways for as long as a late answer's access token lives`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let token = try await replica.signIn(fixture).refreshToken
        _ = try await replica.refresh(token, key: "retry")
        fixture.clock.advance(86_400)
        let tokens = try #require(try await replica.refresh(token, key: "retry").tokens)
        try await replica.logout(refresh: tokens.refreshToken)
        #expect(fixture.feed.published.last?.accessExpiresAt == fixture.clock.now + 300)
    }

    @Test func `a thief of token and key who goes on ends the session when the owner comes`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let token = try await replica.signIn(fixture).refreshToken
        let stolen = try #require(try await replica.refresh(token, key: "owner").tokens).refreshToken
        let second = try #require(try await replica.refresh(stolen, key: "thief-1").tokens).refreshToken
        #expect(try await replica.refresh(second, key: "thief-2").result == .rotated)
        fixture.clock.advance(60)
        #expect(try await replica.refresh(token, key: "owner").result == .reused)
        #expect(try await replica.refresh(second, key: "thief-2").result == .revoked)
        #expect(fixture.feed.published.map(\.reason) == [.reuse])
    }

    @Test func `a thief who has used the successor ends the session when the owner comes a minute later`()
        async throws
    {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let token = try await replica.signIn(fixture).refreshToken
        let stolen = try #require(try await replica.refresh(token, key: "owner").tokens).refreshToken
        let held = try #require(try await replica.refresh(stolen, key: "thief-1").tokens).refreshToken
        for (wait, isOver) in [(59, false), (1, true)] as [(Int64, Bool)] {
            fixture.clock.advance(wait)
            #expect(try await replica.refresh(token, key: "owner").result == .reused)
            #expect(fixture.feed.published.isEmpty == !isOver)
        }
        #expect(try await replica.refresh(held, key: "thief-2").result == .revoked)
    }

    /// Owner and thief derive the same key from the same record, so neither is ever out of step. Each waits until its access
    /// token has expired, and refreshes half an hour after the other.
    @Test(arguments: [nil, 8] as [Int?])
    func `a thief of a whole record is recorded from the fifth late repeat on, and signed out if the policy says so`(
        max: Int?
    ) async throws {
        let fixture = try TokenFixture(refresh: max.map { "lateRepeatsMax: \($0)" } ?? "")
        let replica = try await fixture.replica()
        var token = try await replica.signIn(fixture).refreshToken
        var results: [[RefreshResult]] = []
        for _ in 1...10 {
            fixture.clock.advance(1_800)
            let first = try await replica.refresh(token, key: "derived-from-\(token)")
            fixture.clock.advance(1_800)
            let second = try await replica.refresh(token, key: "derived-from-\(token)")
            results.append([first.result, second.result])
            guard let tokens = second.tokens else { break }
            token = tokens.refreshToken
        }
        let keptUp = [[RefreshResult]](repeating: [.rotated, .repeated], count: max.map { $0 - 1 } ?? 10)
        #expect(results == keptUp + (max == nil ? [] : [[.rotated, .reused]]))
        let runs = try await replica.database.withReader {
            try String.fetchAll($0, sql: "SELECT detail FROM audit WHERE detail LIKE '% in a row' ORDER BY number")
        }
        #expect(runs == (5..<(max ?? 11)).map { "\($0) in a row" })
    }

    @Test func `a rotation without a late repeat starts the count again`() async throws {
        let fixture = try TokenFixture(refresh: "lateRepeatsMax: 3")
        let replica = try await fixture.replica()
        var token = try await replica.signIn(fixture).refreshToken
        for round in 1...12 {
            let used = token
            token = try #require(try await replica.refresh(used, key: "key-\(round)").tokens).refreshToken
            guard round % 3 != 0 else { continue }
            fixture.clock.advance(61)
            #expect(try await replica.refresh(used, key: "key-\(round)").result == .repeated)
        }
    }

    @Test func `a refused token with a valid tag has a reason, and an impossible one has none`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let ends: [(RevocationReason, RefusedRefreshReason?)] = [
            (.logoutAll, .signedOut), (.admin, .signedOut), (.passwordChange, .signedOut), (.takenOver, .signedOut),
            (.deleted, .deleted), (.inactive, nil),
        ]
        for (epoch, (end, reason)) in zip(Int64(1)..., ends) {
            let token = try await replica.signIn(fixture, epoch: epoch - 1).refreshToken
            try await replica.revokeUser(epoch: epoch, reason: end)
            #expect(try await replica.refresh(token).reason == reason, "\(end)")
        }
        let token = try await replica.signIn(fixture, epoch: Int64(ends.count)).refreshToken
        let next = try #require(try await replica.refresh(token, key: "a").tokens).refreshToken
        _ = try await replica.refresh(next, key: "b")
        #expect(try await replica.refresh(token, key: "a").reason == .superseded)
        #expect(try await replica.refresh(token, key: "another").reason == .reused)
        #expect(try await replica.refresh(next, key: "b").reason == .reused)
        let altered = String(next.dropLast()) + (next.hasSuffix("0") ? "1" : "0")
        #expect(try await replica.refresh(altered).reason == nil)
    }

    @Test func `a key that made the token is refused and spends nothing, also the sign-in's`() async throws {
        let fixture = try TokenFixture()
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        guard case .answer(let signIn) = try await replicas[0].issue(try fixture.grant(), key: "one") else {
            return #expect(Bool(false))
        }
        var token = signIn.refreshToken
        for (used, next) in [("one", "two"), ("two", "three")] {
            for replica in replicas {
                await #expect(throws: UsedIdempotencyKey.self) { try await replica.refresh(token, key: used) }
            }
            token = try #require(try await replicas[0].refresh(token, key: next).tokens).refreshToken
        }
        // Refused for what it is when the session is over.
        try await replicas[0].logout(refresh: token)
        #expect(try await replicas[1].refresh(token, key: "three").result == .revoked)
    }

    @Test func `where the policy grants it fifty refreshes without a key have one successor and the session lives`()
        async throws
    {
        let fixture = try TokenFixture(refresh: "repeatWithoutKeySeconds: 60")
        let replicas = [try await fixture.replica(), try await fixture.replica()]
        let token = try await replicas[0].signIn(fixture).refreshToken
        let answers = try await answers(to: token, key: { _ in nil }, replicas)
        #expect(Set(answers.compactMap { $0.tokens?.refreshToken }).count == 1)
        #expect(answers.count { $0.tokens != nil } == 50)
        fixture.clock.advance(61)
        #expect(try await replicas[1].refresh(token).result == .reused)
    }

    private func events(_ replica: Replica) async throws -> [String] {
        try await replica.database.withReader {
            try String.fetchAll($0, sql: "SELECT event FROM audit ORDER BY number")
        }
    }

    @Test func `malformed, unknown and expired tokens are told apart and change nothing`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let token = try await replica.signIn(fixture).refreshToken
        #expect(try await replica.refresh("rt_garbage").result == .malformed)
        let altered = String(token.dropLast()) + (token.hasSuffix("0") ? "1" : "0")
        #expect(try await replica.refresh(altered).result == .unknown)
        await #expect(throws: InvalidInput.self) { try await replica.refresh(token, key: "") }
        fixture.clock.advance(2_592_000 - 1)
        #expect(try await replica.refresh(token).result == .rotated)
    }

    @Test func `the limit is the user's, over all his sessions, and is asked before each rotation`() async throws {
        let fixture = try TokenFixture()
        let limit = RecordingLimit()
        let replica = try await fixture.replica(limiter: limit)
        for _ in 0..<2 {
            let first = try await replica.signIn(fixture).refreshToken
            let second = try #require(try await replica.refresh(first).tokens).refreshToken
            #expect(try await replica.refresh(second).result == .rotated)
        }
        #expect(try await replica.refresh("rt_" + String(repeating: "0", count: 64)).result == .unknown)
        #expect(limit.users == [String](repeating: TokenFixture.user, count: 4))
    }

    @Test func `whoever holds a dead token does not use up what the owner's sessions may have`() async throws {
        let fixture = try TokenFixture()
        let limit = RecordingLimit()
        let replica = try await fixture.replica(limiter: limit)
        let dead = try await replica.signIn(fixture).refreshToken
        try await replica.logout(refresh: dead)
        for _ in 0..<20 { #expect(try await replica.refresh(dead).result == .revoked) }
        #expect(limit.users.isEmpty)
    }

    @Test func `over the limit the token is not used`() async throws {
        let fixture = try TokenFixture()
        let limited = try await fixture.replica(wait: 17)
        let token = try await limited.signIn(fixture).refreshToken
        let answer = try await limited.refresh(token)
        #expect(answer == RefreshAnswer(.rateLimited, retryAfterSeconds: 17))
        #expect(try await fixture.replica().refresh(token).result == .rotated)
    }

    @Test func `a reuse is not answered while Redis cannot be told, and told when it is back`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let signIn = try await replica.signIn(fixture)
        _ = try await replica.refresh(signIn.refreshToken)
        fixture.feed.setAway(true)
        for _ in 0..<3 {
            await #expect(throws: RecordingFeed.Away.self) { try await replica.refresh(signIn.refreshToken) }
        }
        fixture.feed.setAway(false)
        try await replica.parts.publisher.catchUp()
        let published = fixture.feed.published
        #expect(published.map(\.sessionID.text) == [signIn.sessionID] && published.first?.reason == .reuse)
    }
}
