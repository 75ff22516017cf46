import CryptoPrimitives
import InternalAPI
import RedisClient
import TestSupport
import Testing

@testable import UserCore

@Suite struct ExportUserTests {
    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private func export(_ redis: RedisClient, now: (@Sendable () -> Int64)? = nil) -> ExportUser {
        let now = now ?? fixture.clock.unix
        let tokenService = ServiceClient(service: "token", transport: fixture.tokenService)
        return ExportUser(
            store: fixture.store,
            read: ReadExport(
                queries: fixture.store, tokenService: tokenService,
                otpService: ServiceClient(service: "otp", transport: fixture.otpService),
                userIDPrefix: UserFixture.prefix, now: now),
            recent: RecentAuthentication(tokenService: tokenService, now: now), withinSeconds: 300,
            limit: ExportLimit(redis: redis, tags: GuessTags(ring: fixture.storageKeys), hasRoom: { true }),
            seal: ExportSeal(ring: fixture.storageKeys), logger: .silent)
    }

    /// Runs `body` with an export over a Redis of its own, and a user who has just signed in.
    private func withExport(_ body: (ExportUser, SignedInUser) async throws -> Void) async throws {
        try await withRedis(functions: [GuessFunctions.library.source(loadedAt: 0)]) { _, redis in
            let user = try await fixture.signedIn(name: "Betty")
            fixture.tokenService.setSignedIn(at: fixture.clock.seconds)
            try await body(export(redis), user)
        }
    }

    private func page(
        _ export: ExportUser, _ user: SignedInUser, cursor: String? = nil, call: String = UUIDText.random()
    ) async throws -> ExportUser.Outcome {
        try await export(user, ExportRequest(cursor: cursor, callID: call), accessToken: "token", requestID: "r-1")
    }

    private func page(_ outcome: ExportUser.Outcome) throws -> UserExport {
        guard case .answer(let answer) = outcome else { throw UserFixture.Unexpected() }
        return try #require(answer.page)
    }

    @Test func `a small export is one page with all three services' parts, and is in the audit`() async throws {
        try await withExport { export, user in
            let page = try page(try await page(export, user))
            #expect(page.account?.name == "Betty" && page.account?.identities.map(\.value) == ["+15551234567"])
            // An earlier message may have been for an earlier owner of the number.
            #expect(page.messages?.map(\.to) == ["+15551234567"])
            #expect(page.messages?.first?.events.map(\.at) == [TestClock.startSeconds])
            #expect(page.sessions.count == 1 && page.nextCursor == nil)
            #expect(page.records.map(\.event) == ["user.created", "session.opened"])
            #expect(try await fixture.auditEvents().last == "user.exported")
        }
    }

    @Test func `pages follow each other to the end, and need no further proof`() async throws {
        try await withExport { export, user in
            fixture.tokenService.setExportPages(20)
            var pages = [try page(try await page(export, user))]
            fixture.tokenService.setSignedIn(at: nil)
            while let cursor = pages.last?.nextCursor {
                pages.append(try page(try await page(export, user, cursor: cursor)))
                try #require(pages.count < 9)
            }
            #expect(pages.count > 1 && pages.dropFirst().allSatisfy { $0.account == nil && $0.messages == nil })
            #expect(pages.flatMap(\.records).filter { $0.service == "token" }.map(\.at) == (1...20).reversed())
            #expect(try await fixture.auditEvents().filter { $0 == "user.exported" }.count == 1)
        }
    }

    @Test(arguments: [("administrator:0a1b", "administrator"), ("client:billing", "client")])
    func `a record of another's act has neither their name nor their session`(method: String, shown: String) {
        let record = AuditPage.Record(
            number: 1, at: 1, event: "user.rights_changed", sessionID: "ab", method: method, detail: "role")
        let exported = ExportedRecord(record, from: "user")
        #expect(exported.method == shown && exported.sessionID == nil && exported.detail == "role")
    }

    @Test func `a merged account's data are in the export`() async throws {
        try await withExport { export, user in
            let other = try await fixture.signedIn("+15551234568")
            let merged = try #require(try await fixture.store.user(other.id))
            try await fixture.store.put([.merge(merged, into: user.id)], now: fixture.clock.seconds)
            let page = try page(try await page(export, user))
            let id = other.id.text(prefix: UserFixture.prefix)
            #expect(page.account?.mergedAccounts.map(\.id) == [id])
            #expect(page.sessions.map(\.id).last == "session of \(id)" && page.nextCursor == nil)
            #expect(page.records.filter { $0.event == "user.created" }.count == 2)
        }
    }

    @Test func `a sixth export within a day waits, and a repeat of a call does not count`() async throws {
        try await withExport { export, user in
            for number in 0..<5 {
                for _ in 0..<2 { _ = try page(try await page(export, user, call: "call-\(number)")) }
                fixture.clock.advance(seconds: 10)
                fixture.tokenService.setSignedIn(at: fixture.clock.seconds)
            }
            #expect(try await page(export, user) == .answer(ExportAnswer(retryAfterSeconds: 86_350)))
            let other = try await fixture.signedIn("+15551234568")
            _ = try page(try await page(export, other))
            fixture.clock.advance(seconds: 86_350)
            fixture.tokenService.setSignedIn(at: fixture.clock.seconds)
            _ = try page(try await page(export, user))
            #expect(try await page(export, user) == .answer(ExportAnswer(retryAfterSeconds: 10)))
        }
    }

    @Test func `without a recent proof there is no export`() async throws {
        try await withExport { export, user in
            fixture.clock.advance(seconds: 300)
            let late = try await page(export, user)
            #expect(late == .refused(.reauthenticationRequired))
            fixture.tokenService.setSignedIn(at: nil)
            let ended = try await page(export, user)
            #expect(ended == .refused(.invalidToken))
            let events = try await fixture.auditEvents()
            #expect(!events.contains("user.exported"))
        }
    }

    @Test func `while a service is away there is no page, and nothing counts`() async throws {
        try await withExport { export, user in
            for _ in 0..<6 {
                fixture.otpService.setAway(true)
                await #expect(throws: ServiceUnavailable.self) { try await page(export, user) }
                fixture.otpService.setAway(false)
            }
            _ = try page(try await page(export, user))
        }
    }

    @Test func `an export that fails has its own error, also if Redis cannot give it back`() async throws {
        try await withExport { export, user in
            fixture.otpService.setAway(true)
            fixture.otpService.setDelay(.milliseconds(500))
            let calls = fixture.otpService.callCount
            let failed = Task { try await self.page(export, user) }
            try await eventually("the export is under way") { fixture.otpService.callCount > calls }
            _ = try await export.limit.redis.send(["FUNCTION", "FLUSH"])
            await #expect(throws: ServiceUnavailable.self) { try await failed.value }
        }
    }

    @Test func `of many exports at once no more are read than count`() async throws {
        try await withExport { export, user in
            let outcomes = try await concurrently(20) { _ in try await self.page(export, user) }
            let pages = outcomes.filter { if case .answer(let answer) = $0 { answer.page != nil } else { false } }
            #expect(pages.count == 5)
            // A call that takes long on a busy machine is sent again, once.
            let reads = fixture.tokenService.exported.count
            #expect((5...10).contains(reads), "\(reads)")
        }
    }

    @Test func `a cursor serves its own session for an hour`() async throws {
        try await withExport { export, user in
            fixture.tokenService.setExportPages(20)
            let cursor = try #require(try page(try await page(export, user)).nextCursor)
            #expect(cursor.utf8.count <= ExportRequest.cursorBytesMax)
            let others = [
                SignedInUser(id: user.id, sessionID: "session-2"), try await fixture.signedIn("+15551234568"),
            ]
            for other in others {
                await #expect(throws: InvalidInput.exportCursor) { try await page(export, other, cursor: cursor) }
            }
            for wrong in ["", "x", String(cursor.dropLast()), String(repeating: "A", count: 70_000)] {
                await #expect(throws: InvalidInput.exportCursor) { try await page(export, user, cursor: wrong) }
            }
            fixture.clock.advance(seconds: 3_599)
            _ = try page(try await page(export, user, cursor: cursor))
            fixture.clock.advance(seconds: 1)
            await #expect(throws: InvalidInput.exportCursor) { try await page(export, user, cursor: cursor) }
        }
    }

    @Test func `a deactivated user gets none, and the operator does, also of a user who waits for the removal`()
        async throws
    {
        try await withExport { export, user in
            let id = user.id.text(prefix: UserFixture.prefix)
            _ = try await fixture.change(ChangeUserRequest(userID: id, isActive: false), requestID: nil)
            #expect(try await page(export, user) == .refused(.accountInactive))
            _ = try await fixture.deletion()(user, requestID: nil)
            let outcome = try await export(ExportUserRequest(userID: id), requestID: "r-1")
            guard case .answer(let page) = outcome else { throw UserFixture.Unexpected() }
            #expect(page.account?.deletionDueAt != nil && page.nextCursor == nil)
            #expect(try await export(ExportUserRequest(userID: "usr_1"), requestID: nil) == .refused(.notFound))
        }
    }

    @Test func `no operator's name is in a user's export`() {
        let record = AuditPage.Record(
            number: 1, at: 1, event: "e", method: "operator:alice", detail: "role operator:al.b")
        let shown = ExportedRecord(record, from: "user")
        #expect(shown.method == "operator" && shown.detail == "role operator")
    }
}
