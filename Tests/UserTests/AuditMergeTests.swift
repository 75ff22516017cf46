import CryptoPrimitives
import InternalAPI
import Testing

@testable import UserCore

/// The audits of several services as one: no record is lost or repeated, whatever their times and whatever is added meanwhile.
@Suite struct AuditMergeTests {
    private typealias Audits = [AuditedService: [AuditPage.Record]]

    private static func record(_ number: Int64, at time: Int64) -> AuditPage.Record {
        AuditPage.Record(number: number, at: time, event: "e")
    }

    /// A part of an audit, newest first; every third part is empty although the audit goes on.
    private static func part(
        _ audit: [AuditPage.Record], before: Int64?, limit: Int, _ random: inout some RandomNumberGenerator
    ) -> AuditPage {
        let rest = audit.filter { $0.number < before ?? .max }.sorted { $0.number > $1.number }
        guard let first = rest.first else { return AuditPage(records: [], next: nil) }
        if Int.random(in: 0..<3, using: &random) == 0 { return AuditPage(records: [], next: first.number + 1) }
        let records = Array(rest.prefix(limit))
        return AuditPage(records: records, next: records.count < rest.count ? records.last?.number : nil)
    }

    private static func page(
        _ audits: Audits, from positions: [AuditedService: AuditMerge.Position], limit: Int,
        _ random: inout some RandomNumberGenerator
    ) -> AuditMerge {
        var merge = AuditMerge(from: positions)
        for _ in 0..<4 {
            merge.merge(upTo: limit)
            guard merge.merged.count < limit, let hungry = merge.hungry else { break }
            let before: Int64? = if case .before(let number) = hungry.position { number } else { nil }
            let audit = audits[hungry.service] ?? []
            merge.feed(part(audit, before: before, limit: limit, &random), of: hungry.service)
        }
        merge.merge(upTo: limit)
        return merge
    }

    @Test(arguments: [1, 2, 3, 7, 200])
    func `every record is on one page, in the order of time`(limit: Int) throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            // Few different times, so that most are equal.
            var audits: Audits = [:]
            for service in AuditedService.allCases {
                let times = (0..<Int.random(in: 0...20, using: &random)).map { _ in Int64.random(in: 1...4) }.sorted()
                audits[service] = zip(Int64(1)..., times).map { Self.record($0, at: $1) }
            }
            let whole = AuditedService.allCases.flatMap { service in
                (audits[service] ?? []).map { "\(service.rawValue) \($0.number)" }
            }
            var (found, pages) = ([WholeAuditPage.Record](), 0)
            var positions: [AuditedService: AuditMerge.Position]? = [:]
            while let from = positions {
                let merge = Self.page(audits, from: from, limit: limit, &random)
                #expect(merge.merged.count <= limit)
                found += merge.merged
                positions = merge.next
                pages += 1
                try #require(pages < 2_000, "the pages end")
                // Records are added while somebody reads.
                for service in AuditedService.allCases {
                    audits[service]?.append(Self.record(Int64(100 + pages), at: 4))
                }
            }
            let read = found.map { "\($0.service.rawValue) \($0.record.number)" }
            #expect(Set(read).count == read.count, "a record is on two pages")
            #expect(Set(whole).subtracting(read).isEmpty, "a record is on no page")
            let old = found.filter { $0.record.number < 100 }.map(\.record.at)
            #expect(old == old.sorted(by: >))
        }
    }

    @Test func `records that reading adds are on no later page`() throws {
        var merge = AuditMerge(from: [:])
        merge.feed(AuditPage(records: [Self.record(9, at: 8)], next: 9), of: .user)
        merge.feed(AuditPage(records: [Self.record(5, at: 1)], next: 5), of: .token)
        merge.merge(upTo: 1)
        #expect(merge.merged.map(\.service) == [.user])
        #expect(merge.next == [.user: .before(9), .token: .before(6)])
    }

    @Test func `a cursor is valid for its own request only`() throws {
        let request = WholeAuditRequest(userID: "usr_1", from: 1, to: 9, limit: 5)
        let positions: [AuditedService: AuditMerge.Position] = [.user: .before(7), .token: .end]
        let text = AuditCursor(request).text(positions)
        #expect(try AuditCursor(request).positions(text) == positions)
        #expect(try AuditCursor(request).positions(nil).isEmpty)
        // The size of a page may change.
        #expect(
            try AuditCursor(WholeAuditRequest(userID: "usr_1", from: 1, to: 9, limit: 50)).positions(text) == positions)
        for other in [
            WholeAuditRequest(userID: "usr_2", from: 1, to: 9, limit: 5), WholeAuditRequest(from: 1, to: 9, limit: 5),
            WholeAuditRequest(userID: "usr_1", from: 2, to: 9, limit: 5),
            WholeAuditRequest(userID: "usr_1", from: 1, to: 8, limit: 5),
        ] {
            #expect(throws: InvalidInput.self) { try AuditCursor(other).positions(text) }
        }
    }

    @Test(arguments: [
        "", "x", "%%%", "usr_1 1 9 s s", "- 1 9 s", "- 1 9 s s s", "- 1 9 -1 s", "- 1 9 1e3 s", "- 1 9 x s",
        "- 1 9 99999999999999999999 s", "-\u{0}1 9 s s",
    ])
    func `a forged cursor is refused`(text: String) {
        let cursor = AuditCursor(WholeAuditRequest(from: 1, to: 9, limit: 5))
        for text in [text, Base64URL.encode(Array(text.utf8))] {
            #expect(throws: InvalidInput.self, "\(text)") { try cursor.positions(text) }
        }
    }
}
