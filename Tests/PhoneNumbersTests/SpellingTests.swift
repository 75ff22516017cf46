import PhoneNumbers
import Testing

@Suite struct SpellingTests {
    @Test(arguments: [
        "+15551234567", "+1 555 123 4567", "+1 (555) 123-4567", "+1.555.123.4567", "+1-555-123-4567",
        "001 555 123 4567",
        "0015551234567", "00 1 (555) 123-4567", " +1 555 123 4567 ", "+ 1 555 123 4567", "(+1) 555 123 4567",
        "+１５５５１２３４５６７", "＋１ ５５５ １２３ ４５６７", "\u{200E}+1 555 123 4567\u{200E}", "\u{202A}+15551234567\u{202C}",
        "+1\u{00A0}555\u{202F}123\u{2009}4567", "+1\u{2011}555\u{2013}123\u{2212}4567", "\u{FEFF}+15551234567",
        "+1 （555） 123．4567", "+١٥٥٥١٢٣٤٥٦٧", "+१५५५१२३४५६७", "+1 1 555 123 4567", "+15551234567 ext. 12",
        "+15551234567x12", "+15551234567 EXT 3", "+15551234567;ext=34", "+15551234567,5", "+1 555 123 4567 #9",
    ])
    func `all spellings of a number give one number`(_ spelling: String) throws {
        #expect(try PhoneNumber(parsing: spelling).e164 == "+15551234567")
    }

    @Test(arguments: ["US", "us", "DE", "IN", "XX", "", "not a region"])
    func `with a plus the region does not matter`(_ region: String) throws {
        #expect(try PhoneNumber(parsing: "+15551234567", region: region).e164 == "+15551234567")
    }

    @Test(arguments: [
        ("+44 (0)20 7946 0958", "+442079460958"), ("+4402079460958", "+442079460958"),
        ("+442079460958", "+442079460958"),
        ("+49 (0) 30 123456", "+4930123456"), ("+39 06 698 12345", "+390669812345"),
        ("+39 345 678 9012", "+393456789012"),
        ("+36 06 1 234 5678", "+3612345678"), ("+52 55 1234 5678", "+525512345678"),
        ("+91 098765 43210", "+919876543210"), ("+870 773 111 632", "+870773111632"),
        ("+800 1234 5678", "+80012345678"),
    ])
    func `a trunk prefix after the calling code is dropped where the country has one`(
        _ spelling: String, _ canonical: String
    ) throws {
        #expect(try PhoneNumber(parsing: spelling).e164 == canonical)
    }

    @Test(arguments: ["+61 0065054", "+61 065054", "+61 65054"])
    func `however often a trunk prefix is written, the number is the same`(_ spelling: String) throws {
        #expect(try PhoneNumber(parsing: spelling).e164 == "+6165054")
    }
}
