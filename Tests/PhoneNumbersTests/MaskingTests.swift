import PhoneNumbers
import Testing

@Suite struct MaskingTests {
    @Test func `printing a number shows calling code and last digits alone`() throws {
        let number = try PhoneNumber(parsing: "+14155552671")
        #expect("\(number)" == "+1•••••2671")
        #expect(String(reflecting: number) == "+1•••••2671")
        #expect("\([number])" == "[+1•••••2671]")
        #expect("\(Optional(number) as Any)".contains("4155552671") == false)
    }

    @Test func `dumping a number does not show it`() throws {
        var text = ""
        dump(try PhoneNumber(parsing: "+14155552671"), to: &text)
        #expect(!text.contains("4155552671"))
    }

    @Test(arguments: [("+491234", "+49•••••"), ("+4912345", "+49•••••5"), ("+491234567", "+49•••••567")])
    func `of a short number at least four digits stay hidden`(_ text: String, _ masked: String) throws {
        #expect("\(try PhoneNumber(parsing: text))" == masked)
    }

    @Test func `the calling code is told apart from the number`() throws {
        #expect(try PhoneNumber(parsing: "+35312345678").callingCode == 353)
        #expect(try PhoneNumber(parsing: "+79123456789").callingCode == 7)
    }
}
