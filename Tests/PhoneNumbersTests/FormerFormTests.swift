import PhoneNumbers
import Testing

/// The forms that earlier releases gave a number.
@Suite struct FormerFormTests {
    @Test(
        arguments: [
            ("+54 11 4020 6271", nil, "+541140206271"), ("+5491140206271", nil, "+541140206271"),
            ("011 4020-6271", "AR", "+541140206271"), ("54 11 4020 6271", "AR", "+541140206271"),
            ("+55 11 8123 4567", nil, "+551181234567"), ("+55 11 98123 4567", nil, "+551181234567"),
            ("(11) 8123-4567", "BR", "+551181234567"), ("+375 80 29 1234567", nil, "+3750291234567"),
        ] as [(String, String?, String)])
    func `a former form is found`(text: String, region: String?, former: String) throws {
        #expect(try PhoneNumber.formerForms(of: text, region: region).contains(former))
    }

    @Test(arguments: ["+541140206271", "+551181234567", "+14155550100", "+551132345678", "+4915112345678"])
    func `the canonical form is none of them, and they are few`(text: String) throws {
        let forms = try PhoneNumber.formerForms(of: text)
        #expect(try !forms.contains(PhoneNumber(parsing: text).e164) && forms.count <= 7)
    }

    @Test func `a text that is no number is refused`() {
        #expect(throws: PhoneNumberProblem.self) { try PhoneNumber.formerForms(of: "12") }
    }
}
