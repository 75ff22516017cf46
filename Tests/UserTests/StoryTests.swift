import AuthAPI
import InternalAPI
import TestSupport
import Testing

@testable import UserCore

/// The story of a user from the audits, as sentences.
@Suite struct StoryTests {
    private static func line(
        _ event: String, of service: AuditedService = .user, session: String? = nil, method: String? = nil,
        detail: String? = nil
    ) -> String {
        let record = AuditPage.Record(
            number: 1, at: 1, event: event, sessionID: session, method: method, detail: detail)
        return Story.line(WholeAuditPage.Record(record, of: service)).sentence
    }

    @Test func `a sentence says what happened, in which session, who caused it and why`() {
        #expect(
            Self.line("session.opened", of: .token, session: "ab", detail: "sms")
                == "The user signed in (sms) in session ab.")
        #expect(
            Self.line("session.revoked", of: .token, session: "ab", detail: "admin operator:alice")
                == "The session was ended (admin) in session ab by the operator alice.")
        #expect(
            Self.line(
                "user.rights_changed", session: "cd", method: "administrator:0a1b", detail: "role reason: ticket 7")
                == "The account was changed (role) by the administrator 0a1b for the reason \"ticket 7\".")
        #expect(
            Self.line("user.deletion_requested", method: "operator") == "The deletion was scheduled by the operator.")
        #expect(
            Self.line("user.sign_in_refused", method: "phone", detail: "inactive")
                == "A sign-in was refused (phone inactive).")
        #expect(
            Self.line("user.created", method: "administrator:0a1b", detail: "role operator")
                == "The account was created (role operator) by the administrator 0a1b.")
        #expect(
            Self.line("user.rights_changed", session: "cd", method: "client:billing", detail: "role")
                == "The account was changed (role) by the client billing.")
        #expect(
            Self.line("session.revoked", of: .token, session: "ab", detail: "admin client:billing")
                == "The session was ended (admin) in session ab by the client billing.")
        #expect(Self.line("user.invited", detail: "role client") == "A person was invited (role client).")
        #expect(Self.line("user.restored") == "The deletion was cancelled.")
        #expect(Self.line("user.of_tomorrow", detail: "x") == "user.of_tomorrow (x).")
    }

    @Test(arguments: AuditEntry.Event.allCases.filter { !["otp.", "client."].contains(where: $0.rawValue.hasPrefix) })
    func `every event of a user has a sentence`(event: AuditEntry.Event) {
        #expect(!Self.line(event.rawValue).contains(event.rawValue))
    }

    @Test(arguments: [
        "session.opened", "session.rotated", "session.reused", "session.repeated_late", "session.reauthenticated",
        "session.stepped_up", "session.revoked", "session.acting", "token.impossible", "user.revoked",
        "user.rights_changed", "user.removed",
        "user.looked_up",
    ])
    func `every event of token-service about a user has a sentence`(event: String) {
        #expect(!Self.line(event, of: .token).contains(event))
    }

    @Test func `a live session says when it was refreshed`() {
        for (used, says): (Int64, String) in [(9, "was refreshed last"), (1, "was not refreshed")] {
            let session = SessionSummary(
                id: "s", deviceName: "iPhone", createdAt: 1, lastUsedAt: used, address: nil, current: false)
            let line = Story.line(session)
            #expect(line.at == used && line.sentence.contains(says) && line.sentence.contains("on iPhone"))
        }
    }
}

/// The audits of all services as an administrator and the operator read them.
@Suite struct ReadWholeAuditTests {
    private let fixture: UserFixture
    private let read: ReadWholeAudit

    init() throws {
        fixture = try UserFixture()
        read = try fixture.wiring("admin: { api: true }").support.wholeAudit
    }

    private func text(_ user: SignedInUser) -> String { user.id.text(prefix: UserFixture.prefix) }

    @Test func `a story has both services' records and the live sessions, and is a record itself`() async throws {
        let (anna, betty) = (try await fixture.signedIn("+15550000001"), try await fixture.signedIn("+15550000002"))
        let now = fixture.clock.seconds
        fixture.tokenService.setAudit(
            [(3, betty), (2, anna), (1, anna)].map { number, user in
                AuditPage.Record(
                    number: number, at: now, event: "session.opened", subject: text(user), sessionID: "s-\(number)",
                    detail: "sms")
            })
        fixture.tokenService.setSession("s-2", of: text(anna))
        let story = try await read.story(WholeAuditRequest(userID: text(anna), limit: 50), requestID: "r-1").answered
        try #require(story.lines.count == 3, "\(story.lines)")
        #expect(story.lines[0].sentence.hasPrefix("The account was created"), "\(story.lines)")
        #expect(story.lines.count { $0.sentence.contains("signed in (sms)") } == 2)
        #expect(story.sessions.count == 1 && story.next == nil)
        let looks = try await fixture.texts("SELECT detail FROM audit WHERE event = 'user.looked_up'")
        #expect(looks == ["story"])
    }

    @Test func `pages of one record have all records once`() async throws {
        _ = try await fixture.signedIn("+15550000001")
        let now = fixture.clock.seconds
        fixture.tokenService.setAudit((1...5).reversed().map { .init(number: $0, at: now, event: "session.opened") })
        var (seen, cursor): ([String], String?) = ([], nil)
        repeat {
            let request = WholeAuditRequest(from: now - 1, to: now + 1, limit: 1, cursor: cursor)
            let page = try await read(request, requestID: nil).answered
            seen += page.records.map { "\($0.service.rawValue) \($0.record.event)" }
            cursor = page.next
        } while cursor != nil && seen.count < 50
        #expect(seen.count { $0 == "token session.opened" } == 5)
        #expect(seen.count { $0 == "user user.created" } == 1)
        // The records of reading came after the first page, and so are on none.
        #expect(seen.count == 6, "\(seen)")
    }

    @Test(arguments: [(0, 9, 0), (0, 9, 201), (9, 9, 5), (9, 1, 5), (-1, 9, 5), (Int64.min, Int64.max, 5)])
    func `a period or a page of nonsense is refused, and leaves no record`(
        from: Int64, to: Int64, limit: Int
    ) async throws {
        await #expect(throws: InvalidInput.self) {
            try await read(WholeAuditRequest(from: from, to: to, limit: limit), requestID: nil)
        }
        #expect(try await fixture.count("audit") == 0)
    }

    @Test(arguments: ["", "x", "usr_0", "usr_" + String(repeating: "0", count: 32), "+15550000001", "' OR 1=1 --"])
    func `a user who does not exist has no story`(id: String) async throws {
        _ = try await fixture.signedIn("+15550000001")
        #expect(try await read.story(WholeAuditRequest(userID: id, limit: 5), requestID: nil) == .refused(.noSuchUser))
        #expect(try await read(WholeAuditRequest(userID: id, limit: 5), requestID: nil) == .refused(.noSuchUser))
        #expect(try await read.story(WholeAuditRequest(limit: 5), requestID: nil) == .refused(.noSuchUser))
    }

    @Test func `without token-service nothing is shown, rather than half of it`() async throws {
        fixture.tokenService.setAway(true)
        await #expect(throws: ServiceUnavailable.self) {
            try await read(WholeAuditRequest(limit: 5), requestID: nil)
        }
    }
}
