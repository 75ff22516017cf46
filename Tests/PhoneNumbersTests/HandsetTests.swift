import PhoneNumbers
import Testing

@Suite struct HandsetTests {
    /// Each row is one handset; its first spelling is canonical.
    static let handsets = [
        ["+5491140206271", "+541140206271", "+54 9 11 15 4020-6271", "+54 011 15 4020 6271", "+5490 11 4020 6271"],
        ["+5492954412345", "+542954412345", "+54 2954 15 412345"],
        ["+5511987654321", "+551187654321", "+55 0 15 11 98765-4321", "+55 011 8765-4321"],
        ["+525512345678", "+52 1 55 1234 5678"],
    ]

    @Test(arguments: handsets)
    func `spellings that reach one handset are one number`(_ spellings: [String]) throws {
        for spelling in spellings { #expect(try PhoneNumber(parsing: spelling).e164 == spellings[0], "\(spelling)") }
    }

    @Test(arguments: handsets)
    func `counters know one handset by one text`(_ spellings: [String]) throws {
        #expect(Set(try spellings.map { try PhoneNumber(parsing: $0).handset }).count == 1)
    }

    /// Brazil's landlines begin with 2 to 5; nine digits stay as they are.
    @Test(arguments: ["+551133334444", "+5511987654321", "+15551234567", "+447400123456"])
    func `other numbers are their own handset`(text: String) throws {
        #expect(try PhoneNumber(parsing: text).handset == text)
        #expect(try PhoneNumber(parsing: text).e164 == text)
    }

    @Test func `counters of Argentina's numbers keep their form`() throws {
        #expect(try PhoneNumber(parsing: "+5491123456789").handset == "+541123456789")
    }

    @Test func `two handsets are never one`() throws {
        let numbers = ["+5511987654321", "+5511887654321", "+551133334444", "+5491123456789", "+5491123456780"]
        #expect(Set(try numbers.map { try PhoneNumber(parsing: $0).handset }).count == numbers.count)
    }
}
