import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The hourly counts that come with the moved records of otp-service.
@Suite(.timeLimit(.minutes(5))) struct AuditTallyTests {
    private static let now: Int64 = 1_800_000_000 + 600

    private static func entry(
        _ id: String, _ event: OTPAuditEvent, at: Int64 = now, detail: String = "known", tally: String? = nil
    ) -> AuditStreamEntry {
        var fields = ["at": "\(at)", "event": event.rawValue, "detail": detail]
        fields["tally"] = tally
        return AuditStreamEntry(id: id, fields: fields.mapValues { Array($0.utf8) })
    }

    @Test(
        arguments: [
            (.sent, "known", "+44 sms 750", ["codes_sent/+44/sms": 1, "spend/+44": 750]),
            (.sent, "known", "none email 0", ["codes_sent/none/email": 1]), (.sent, "known", nil, [:]),
            (.approved, "known", "+1 sms 0", ["codes_used/+1/sms": 1]), (.paid, "", "+1 call 20", ["spend/+1": 20]),
            (.wrongCode, "stranger", nil, ["sign_ins_refused/code": 1]),
            (.refused, "request budget stranger 7", nil, ["limited/budget": 7]),
            (.refused, "verify expired known 2", nil, ["sign_ins_refused/code": 2]), (.locked, "known 60", nil, [:]),
            (.sent, "known", "+44 sms", [:]), (.sent, "known", "a/b sms 1", [:]),
            (.sent, "known", "+44 sms -1", ["codes_sent/+44/sms": 1]),
            (.refused, "request", nil, [:]), (.refused, "request <script> known 1", nil, [:]),
            (.refused, "request phone known 99999999999999999999", nil, [:]),
            (.sent, "known", "\(String(repeating: "9", count: 40)) sms 1", [:]),
        ] as [(OTPAuditEvent, String, String?, [String: Int64])])
    func `a record adds what it is about`(
        event: OTPAuditEvent, detail: String, tally: String?, counts: [String: Int64]
    ) {
        #expect(Self.entry("1-0", event, detail: detail, tally: tally).counts == counts)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `each record is counted once, in its hour, though the stream gives it again`(
        engine: DatabaseKind
    ) async throws {
        let store = try await StorageUnderTest(engine)
        let storage = try store.replica().storage
        let lease = Lease(name: "audit_mover", holder: "a", lifetimeSeconds: 10)
        let entries = [
            Self.entry("1-0", .sent, tally: "+44 sms 750"), Self.entry("2-0", .sent, tally: "+44 sms 750"),
            Self.entry("3-0", .approved, at: Self.now - 3_600, tally: "+44 sms 0"),
            Self.entry("4-0", .paid, detail: "", tally: "+44 call 50"),
            // A clock that is years off.
            Self.entry("5-0", .sent, at: 1, tally: "+1 sms 0"), Self.entry("6-0", .sent, at: .max, tally: "+1 sms 0"),
        ]
        for _ in 0..<2 { #expect(try await storage.audit.add(entries, lease: lease, now: Self.now)) }
        let sums = try await storage.counts.sums(steps: 2, of: HourlyCounts.hourSeconds, now: Self.now).counts
        #expect(
            sums == [
                "codes_sent/+44/sms": [0, 2], "spend/+44": [0, 1_550], "codes_used/+44/sms": [1, 0],
                "codes_sent/+1/sms": [0, 2],
            ])
        let database = try #require(storage.engine as? any StorageDatabase)
        let records = try await database.read { try $0.rows("SELECT count(*) FROM audit").first?.integer(0) }
        #expect(records == 5)
        withExtendedLifetime(store) {}
    }
}
