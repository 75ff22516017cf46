import PhoneNumbers
import Testing

@Suite struct HandsetTests {
    @Test(arguments: [
        ("+5511987654321", "+551187654321"), ("+5521961234567", "+552161234567"), ("+5491123456789", "+541123456789"),
        ("+5215512345678", "+525512345678"),
    ])
    func `spellings that reach one handset count as one`(first: String, second: String) throws {
        #expect(try PhoneNumber(parsing: first).handset == PhoneNumber(parsing: second).handset)
    }

    /// Brazil's landlines begin with 2 to 5; nine digits stay as they are.
    @Test(arguments: ["+551133334444", "+5511987654321", "+541123456789", "+15551234567", "+447400123456"])
    func `other numbers are their own handset`(text: String) throws {
        #expect(try PhoneNumber(parsing: text).handset == text)
    }

    @Test func `two handsets are never one`() throws {
        let numbers = ["+5511987654321", "+5511887654321", "+551133334444", "+5491123456789", "+5491123456780"]
        #expect(Set(try numbers.map { try PhoneNumber(parsing: $0).handset }).count == numbers.count)
    }

    @Test func `accounts keep the spelling that was given, but for Mexico's former prefix`() throws {
        #expect(try PhoneNumber(parsing: "+551187654321").e164 == "+551187654321")
        #expect(try PhoneNumber(parsing: "+5491123456789").e164 == "+5491123456789")
        #expect(try PhoneNumber(parsing: "+52 1 55 1234 5678").e164 == "+525512345678")
    }
}
