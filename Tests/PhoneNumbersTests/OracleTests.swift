import PhoneNumbers
import Testing

/// A sample of the comparison with the Python package `phonenumbers`; `deploy/phone-table/oracle` does all of it.
@Suite struct OracleTests {
    /// An input and the canonical number by the package, nil when it is not possible.
    struct Row: Sendable {
        let region: String?
        let text: String
        let package: String?
        let ours: String?

        init(_ region: String?, _ text: String, _ package: String?) {
            self.init(region, text, package, ours: package)
        }

        init(_ region: String?, _ text: String, _ package: String?, ours: String?) {
            (self.region, self.text, self.package, self.ours) = (region, text, package, ours)
        }
    }

    private func canonical(_ row: Row) -> String? {
        do throws(PhoneNumberProblem) { return try PhoneNumber(parsing: row.text, region: row.region).e164 } catch {
            return nil
        }
    }

    @Test func `the package and we agree on what is possible and on E.164`() {
        #expect(Self.agreed.count > 350)
        #expect(Self.agreed.contains { $0.package == nil } && Self.agreed.contains { $0.region != nil })
        for row in Self.agreed { #expect(canonical(row) == row.package, "\(row)") }
    }

    @Test func `where we differ we differ as known`() {
        #expect(!Self.different.isEmpty && Self.different.count * 20 < Self.agreed.count)
        for row in Self.different { #expect(canonical(row) == row.ours && row.ours != row.package, "\(row)") }
    }
}
