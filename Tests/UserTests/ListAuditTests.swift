import GRDB
import InternalAPI
import Testing

@testable import UserCore

@Suite struct ListAuditTests {
    private let fixture: UserFixture

    init() throws { fixture = try UserFixture() }

    private func list(
        user: String? = nil, event: String? = nil, since: Int64? = nil, limit: Int = 50
    ) async throws -> ListAudit.Outcome {
        let list = ListAudit(
            store: fixture.store, queries: fixture.store, userIDPrefix: UserFixture.prefix, now: fixture.clock.unix)
        return try await list(
            AuditRequest(userID: user, event: event, since: since, limit: limit), requestID: "r-1")
    }

    private func records(_ result: ListAudit.Outcome) throws -> [AuditPage.Record] {
        guard case .answer(let page) = result else { throw Unexpected() }
        return page.records
    }

    private struct Unexpected: Error {}

    @Test func `the records of one user are found by the id, under the pseudonym`() async throws {
        let user = try await fixture.signedIn("+15551234567")
        _ = try await fixture.signedIn("+15551234568")
        let id = user.id.text(prefix: UserFixture.prefix)
        let own = try records(try await list(user: id))
        #expect(own.map(\.event) == ["user.created"])
        #expect(own.first?.subject.map { !$0.isEmpty && !id.contains($0) } == true)
        #expect(try records(try await list(event: "user.created")).count == 2)
    }

    @Test func `each listing is a record itself`() async throws {
        let user = try await fixture.signedIn("+15551234567")
        let id = user.id.text(prefix: UserFixture.prefix)
        _ = try await list(user: id)
        let looks = try records(try await list(event: "user.looked_up"))
        #expect(looks.count == 1 && looks.first?.detail == "audit" && looks.first?.method == "operator")
        #expect(looks.first?.requestID == "r-1" && looks.first?.subject != nil)
    }

    @Test func `who is not there is unknown, and a page has a size`() async throws {
        #expect(try await list(user: "usr_" + String(repeating: "0", count: 32)) == .refused(.notFound))
        #expect(try await list(user: "Betty") == .refused(.notFound))
        for limit in [0, AuditPage.recordsMax + 1] {
            await #expect(throws: InvalidInput.auditPage) { try await list(limit: limit) }
        }
    }

    @Test func `a system that follows gets each record once, and its beginning is one`() async throws {
        _ = try await fixture.signedIn("+15551234567")
        let list = ListAudit(
            store: fixture.store, queries: fixture.store, userIDPrefix: UserFixture.prefix, now: fixture.clock.unix)
        var (places, events): ([AuditPlace], [String]) = ([], [])
        for begins in [true, false, false, false] {
            let page = try await list.tail(
                AuditTailRequest(after: places, limit: 1, begins: begins), requestID: nil)
            #expect(page.records.count <= 1)
            events += page.records.map(\.record.event)
            places = page.records.last.map { [AuditPlace(slot: $0.slot, number: $0.record.number)] } ?? places
        }
        #expect(events == ["user.created", "user.looked_up"])
        for (after, limit) in [
            ([], 0), ([], AuditPage.recordsMax + 1), ([AuditPlace(slot: -1, number: 1)], 1),
            ([AuditPlace(slot: 0, number: -1)], 1),
        ] as [([AuditPlace], Int)] {
            await #expect(throws: InvalidInput.self) {
                try await list.tail(AuditTailRequest(after: after, limit: limit, begins: false), requestID: nil)
            }
        }
    }
}
