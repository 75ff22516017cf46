import Testing

@testable import PhoneNumbers

@Suite struct CallingCodesTests {
    @Test func `the table has every calling code once and every region's code is in it`() {
        let codes = CallingCodes.rows.map(\.code)
        #expect(codes.count == 215)
        #expect(Set(codes).count == codes.count)
        #expect(CallingCodes.byRegion.count == 245)
        #expect(CallingCodes.byRegion.values.allSatisfy(Set(codes).contains))
    }

    @Test func `no calling code is the beginning of another one`() {
        let codes = CallingCodes.rows.map { String($0.code) }
        for code in codes { #expect(codes.filter { $0.hasPrefix(code) } == [code]) }
    }

    @Test func `rows are as the integration guide names them`() {
        let row = { (code: Int) in CallingCodes.rows.first { $0.code == code } }
        #expect(row(1)?.lengths == [10] && row(1)?.trunks == ["1"])
        #expect(row(7)?.lengths == [10, 14] && row(7)?.trunks == ["8"])
        #expect(row(39)?.lengths == [6, 7, 8, 9, 10, 11, 12] && row(39)?.trunks == [])
        #expect(row(44)?.lengths == [7, 9, 10] && row(44)?.trunks == ["180020", "0"])
        #expect(row(52)?.lengths == [10] && row(52)?.trunks == ["1"])
        #expect(row(375)?.trunks == ["80", "0", "8"] && row(370)?.trunks == ["0", "8"])
        #expect(row(91)?.mobileLengths == [10] && row(91)?.mobileStarts == "16789")
        #expect(row(91)?.lengths == [8, 9, 10, 11, 12, 13])
    }

    @Test func `a prefix stands before those that it begins with, and digits or x are all it has`() {
        for row in CallingCodes.rows {
            for (place, trunk) in row.trunks.enumerated() {
                #expect(!row.trunks[..<place].contains { trunk.hasPrefix($0) }, "+\(row.code) \(trunk)")
                #expect(!trunk.isEmpty && trunk.allSatisfy { $0 == "x" || $0.isNumber })
            }
            #expect(row.mobileLengths.isEmpty == row.mobileStarts.isEmpty)
        }
    }

    @Test func `every possible length of every code is read and its neighbours are not`() throws {
        for row in CallingCodes.rows {
            for length in 1...17 {
                let text = "+\(row.code)" + String(repeating: "2", count: length)
                let isPossible = row.lengths.contains(length) && text.utf8.count <= CallingCodes.wholeLengthMax + 1
                let number = try? PhoneNumber(parsing: text)
                // Argentina's canonical form has a 9 in front.
                let canonical = row.code == 54 && length == 10 ? "+549\(text.dropFirst(3))" : text
                #expect(number?.e164 == (isPossible ? canonical : nil), "\(text)")
            }
        }
    }
}
