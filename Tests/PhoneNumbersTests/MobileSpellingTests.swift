import PhoneNumbers
import Testing

/// Each country's example mobile number as people type it; `deploy/phone-table/oracle mobiles` compares the same spellings with
/// the Python package `phonenumbers`.
@Suite struct MobileSpellingTests {
    enum Spelling: Sendable, CaseIterable {
        case plus, doubleZero, withoutPlus, trunk, national, separators
    }

    struct Example: Sendable {
        let region, e164, national, trunk: String

        init(_ region: String, _ e164: String, national: String, trunk: String) {
            (self.region, self.e164, self.national, self.trunk) = (region, e164, national, trunk)
        }

        func text(_ spelling: Spelling) -> String {
            switch spelling {
            case .plus: e164
            case .doubleZero: "00\(e164.dropFirst())"
            case .withoutPlus: "\(e164.dropFirst())"
            case .trunk: trunk + national
            case .national: national
            case .separators: "\(e164.dropLast(national.count))/\(national.prefix(2))-\(national.dropFirst(2))"
            }
        }
    }

    /// A spelling that one of the two reads as another number.
    struct Difference: Sendable {
        let region: String
        let spelling: Spelling
        let ours, package: String?

        init(_ region: String, _ spelling: Spelling, ours: String?, package: String?) {
            (self.region, self.spelling, self.ours, self.package) = (region, spelling, ours, package)
        }
    }

    @Test(arguments: Spelling.allCases)
    func `every country's mobile number is read in every spelling, except where both readings look mobile`(
        _ spelling: Spelling
    ) throws {
        #expect(Self.examples.count > 240)
        for example in Self.examples {
            let difference = Self.different.first { $0.region == example.region && $0.spelling == spelling }
            let expected = if let difference { difference.ours } else { Optional(example.e164) }
            let number = Result { try PhoneNumber(parsing: example.text(spelling), region: example.region) }
            #expect((try? number.get())?.e164 == expected, "\(example) \(spelling)")
        }
    }

    @Test func `few spellings are read differently from the package`() {
        #expect(Self.different.count <= 10)
        #expect(Self.different.allSatisfy { $0.ours != $0.package })
    }
}
