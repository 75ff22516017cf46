import InternalAPI
import Storage
import TestSupport
import Testing

@testable import TokenCore

/// The contract that every engine keeps for the operator who reads the audit.
@Suite struct AuditContract {
    @Test(arguments: DatabaseKind.allCases)
    func `records come newest first, page by page, each once`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        for second in 0..<7 { _ = try await storage.opened(at: 1_000 + Int64(second)) }
        var seen: [AuditPage.Record] = []
        var before: Int64?
        repeat {
            let page = try await storage.storage.audit.records(AuditRequest(limit: 3, before: before))
            #expect(page.records.count <= 3)
            seen += page.records
            before = page.next
        } while before != nil
        let opened = seen.filter { $0.event == "session.opened" }
        #expect(opened.map(\.at) == (1_000..<1_007).reversed())
        #expect(seen.map(\.number) == seen.map(\.number).sorted(by: >) && Set(seen.map(\.number)).count == seen.count)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a user, an event and a time leave out all others`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let session = try await storage.opened(at: 1_000)
        _ = try await storage.opened(user: "usr_0190a1b2c3d4e5f60718293a4b5c6d7f", at: 1_001)
        _ = try await storage.sessions.end(session.id, reason: .logout, now: 1_002)
        func events(_ request: AuditRequest) async throws -> [String] {
            try await storage.storage.audit.records(request).records.map(\.event)
        }
        let own = try await storage.storage.audit.records(AuditRequest(userID: StorageUnderTest.user, limit: 9)).records
        #expect(own.map(\.event) == ["session.revoked", "session.opened"])
        #expect(own.allSatisfy { $0.subject == StorageUnderTest.user && $0.sessionID == session.id.text })
        #expect(try await events(AuditRequest(event: "session.opened", limit: 9)).count == 2)
        #expect(try await events(AuditRequest(since: 1_002, limit: 9)) == ["session.revoked"])
        #expect(try await events(AuditRequest(since: 1_003, limit: 9)) == [])
        #expect(try await events(AuditRequest(userID: "usr_other", limit: 9)) == [])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a look-up is recorded, with no text that is no id`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let texts = [StorageUnderTest.user, "+4915112345678", "usr_1", "", nil]
        for (second, text) in texts.enumerated() {
            try await storage.storage.audit.noteLookUp(
                "sessions", ofUser: text, by: OperatorName("alice"), now: 1_000 + Int64(second))
        }
        let records = try await storage.storage.audit.records(AuditRequest(limit: 9)).records
        #expect(records.map(\.event) == texts.map { _ in "user.looked_up" })
        #expect(records.map(\.subject) == [nil, nil, nil, nil, StorageUnderTest.user])
        #expect(records.allSatisfy { $0.detail?.contains("sessions") == true && $0.detail?.contains("alice") == true })
    }

    @Test func `a page of a wrong size is refused`() async throws {
        let audit = try await StorageUnderTest(.sqlite).replica().storage.audit
        let list = ListAudit(queries: audit, noteLookUp: NoteLookUp(audit: audit, now: { 1_000 }))
        for limit in [0, -1, AuditPage.recordsMax + 1] {
            await #expect(throws: InvalidInput.self) { try await list(AuditRequest(limit: limit)) }
        }
    }
}
