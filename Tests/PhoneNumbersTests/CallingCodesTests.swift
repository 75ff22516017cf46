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
        #expect(row(1) == CallingCode(1, lengths: [10], trunk: "1"))
        #expect(row(7) == CallingCode(7, lengths: [10, 14], trunk: "8"))
        #expect(row(39) == CallingCode(39, lengths: [6, 7, 8, 9, 10, 11, 12]))
        #expect(row(44) == CallingCode(44, lengths: [7, 9, 10], trunk: "0"))
        #expect(row(52) == CallingCode(52, lengths: [10], trunk: "1"))
        #expect(row(91)?.lengths == [8, 9, 10, 11, 12, 13])
    }

    @Test func `every possible length of every code is read and its neighbours are not`() throws {
        for row in CallingCodes.rows {
            for length in 1...17 {
                let text = "+\(row.code)" + String(repeating: "2", count: length)
                let isPossible = row.lengths.contains(length) && text.utf8.count <= CallingCodes.wholeLengthMax + 1
                let number = try? PhoneNumber(parsing: text)
                #expect(number?.e164 == (isPossible ? text : nil), "\(text)")
            }
        }
    }
}
