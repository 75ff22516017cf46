import PhoneNumbers
import Testing

@Suite struct RefusedNumberTests {
    @Test(arguments: ["", " ", "+", "()", "\u{200E}", "--", "+ ", "tel:", "\n", "//", "\u{2800}"])
    func `a text without digits is no number`(_ text: String) {
        #expect(throws: PhoneNumberProblem.empty) { try PhoneNumber(parsing: text, region: "US") }
    }

    @Test(arguments: [
        "+1555123456", "+155512345678", "+1", "+15", "+3912345", "+91123", "+4412345678901", "+491234567890123456",
        "+442079460958012",
    ])
    func `a length that the calling code does not have is impossible`(_ text: String) {
        #expect(throws: PhoneNumberProblem.impossibleLength) { try PhoneNumber(parsing: text) }
    }

    @Test(arguments: ["+0123456789", "+999123456789", "+210123456", "000000000000", "+00441234567890"])
    func `a calling code that nobody has is unknown`(_ text: String) {
        #expect(throws: PhoneNumberProblem.unknownCallingCode) { try PhoneNumber(parsing: text) }
    }

    @Test(arguments: [
        "++15551234567", "+1+5551234567", "15551234567+", "+1555123456a", "abc", "+1555\n1234567", "+1555\r\n1234567",
        "+1555\t1234567", "+1555\u{2028}1234567", "+1555\u{0}1234567", "+1_5551234567", "sms:+15551234567",
        "tel:tel:+15551234567", "tel +15551234567",
        "+15551234567 ext",
        "+15551234567 ext.", "+15551234567 x", "+15551234567 x12345678901", "+15551234567 or +15551234568", "x12",
        "+15551234567;DROP TABLE users", "+1555123４５６Ⅶ", "+1555123456½", "📱+15551234567", "{\"$gt\":\"\"}", "'; --",
    ])
    func `a text with anything else in it is refused`(_ text: String) {
        #expect(throws: PhoneNumberProblem.badCharacter) { try PhoneNumber(parsing: text, region: "US") }
    }

    @Test func `a text longer than any spelling is refused before it is read`() {
        #expect(throws: PhoneNumberProblem.tooLong) { try PhoneNumber(parsing: String(repeating: "1", count: 100_000)) }
        #expect(throws: PhoneNumberProblem.tooLong) {
            try PhoneNumber(parsing: "+1" + String(repeating: "5", count: 32))
        }
        #expect(throws: PhoneNumberProblem.tooLong) {
            try PhoneNumber(parsing: "+15551234567" + String(repeating: " ", count: 128))
        }
    }

    @Test func `a whole number has at most fifteen digits although its country's lengths would let it be longer`()
        throws
    {
        #expect(try PhoneNumber(parsing: "+491234567890123").e164 == "+491234567890123")
        #expect(throws: PhoneNumberProblem.impossibleLength) { try PhoneNumber(parsing: "+4912345678901234") }
    }
}
