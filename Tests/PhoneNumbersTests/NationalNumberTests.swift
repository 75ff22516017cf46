import PhoneNumbers
import Testing

@Suite struct NationalNumberTests {
    @Test(arguments: [
        ("(555) 123-4567", "US", "+15551234567"), ("1 555 123 4567", "US", "+15551234567"),
        ("5551234567", "CA", "+15551234567"), ("555 123 4567", "us", "+15551234567"),
        ("9876543210", "IN", "+919876543210"), ("09876543210", "IN", "+919876543210"),
        ("९८७६५४३२१०", "IN", "+919876543210"),
        ("030 123456", "DE", "+4930123456"), ("0151 23456789", "DE", "+4915123456789"),
        ("06 698 12345", "IT", "+390669812345"), ("345 678 9012", "IT", "+393456789012"),
        ("020 7946 0958", "GB", "+442079460958"), ("442079460958", "GB", "+442079460958"),
        ("8 912 345-67-89", "RU", "+79123456789"), ("06 1 234 5678", "HU", "+3612345678"),
    ])
    func `a national number takes the calling code of its region`(
        _ text: String, _ region: String, _ canonical: String
    ) throws {
        #expect(try PhoneNumber(parsing: text, region: region).e164 == canonical)
    }

    @Test(arguments: [
        ("91 98765 43213", "IN", "+919876543213"), ("6281234567890", "ID", "+6281234567890"),
        ("62812345678", "ID", "+62812345678"), ("92 301 2345678", "PK", "+923012345678"),
        ("63 905 123 4567", "PH", "+639051234567"), ("971 50 123 4567", "AE", "+971501234567"),
        ("972 50 234 5678", "IL", "+972502345678"), ("39 312 345 6789", "IT", "+393123456789"),
        ("31612345678", "NL", "+31612345678"), ("43 664 123456", "AT", "+43664123456"),
        ("49 1512 3456789", "DE", "+4915123456789"), ("54 9 11 2345 6789", "AR", "+5491123456789"),
        ("54 11 2345 6789", "AR", "+5491123456789"), ("0 91 98765 43210", "IN", "+919876543210"),
    ])
    func `a calling code without plus is a calling code where the whole cannot be a mobile number`(
        _ text: String, _ region: String, _ canonical: String
    ) throws {
        #expect(try PhoneNumber(parsing: text, region: region).e164 == canonical)
    }

    @Test(arguments: [
        ("9198765430", "IN", "+919198765430"), ("391 234 5670", "IT", "+393912345670"),
        ("0923 1234560", "PK", "+929231234560"), ("030 123456", "DE", "+4930123456"),
    ])
    func `a national number that begins like the calling code stays national`(
        _ text: String, _ region: String, _ canonical: String
    ) throws {
        #expect(try PhoneNumber(parsing: text, region: region).e164 == canonical)
    }

    @Test(arguments: [
        ("8 029 123-45-67", "BY", "+375291234567"), ("80 29 123-45-67", "BY", "+375291234567"),
        ("0 29 123-45-67", "BY", "+375291234567"), ("+375 80 29 123-45-67", "BY", "+375291234567"),
        ("8 017 221-45-67", "BY", "+375172214567"), ("8 612 34567", "LT", "+37061234567"),
        ("0 612 34567", "LT", "+37061234567"), ("+370 8 612 34567", "LT", "+37061234567"),
        ("+57033211234567", "CO", "+573211234567"), ("03 321 1234567", "CO", "+573211234567"),
        ("0444 321 1234567", "CO", "+573211234567"), ("0 321 1234567", "CO", "+573211234567"),
        ("010 71234567", "BO", "+59171234567"),
    ])
    func `trunk and carrier prefixes go`(_ text: String, _ region: String, _ canonical: String) throws {
        #expect(try PhoneNumber(parsing: text, region: region).e164 == canonical)
    }

    @Test(arguments: [
        ("011 15 2345-6789", "AR", "+5491123456789"), ("11 15 2345 6789", "AR", "+5491123456789"),
        ("0351 15 123 4567", "AR", "+5493511234567"), ("02954 15 412345", "AR", "+5492954412345"),
        ("9 11 2345 6789", "AR", "+5491123456789"), ("0 15 11 98765-4321", "BR", "+5511987654321"),
        ("0 21 11 8765-4321", "BR", "+5511987654321"), ("90 15 11 98765-4321", "BR", "+5511987654321"),
        ("0 41 11 3333-4444", "BR", "+551133334444"), ("011 98765-4321", "BR", "+5511987654321"),
    ])
    func `Argentina's 15 and Brazil's carrier codes go`(_ text: String, _ region: String, _ canonical: String) throws {
        #expect(try PhoneNumber(parsing: text, region: region).e164 == canonical)
    }

    /// Without an area code the `15` does not say where the number is; an area code never begins with 0.
    @Test(arguments: [
        ("15 2345 6789 12", "AR"), ("0511 15 2345678", "AR"), ("0 15 01 98765-4321", "BR"), ("0 15 9876", "BR"),
    ])
    func `what has more than one reading is refused`(_ text: String, _ region: String) {
        #expect(throws: PhoneNumberProblem.impossibleLength) { try PhoneNumber(parsing: text, region: region) }
    }

    @Test func `a national number without a region is refused`() {
        #expect(throws: PhoneNumberProblem.regionMissing) { try PhoneNumber(parsing: "5551234567") }
    }

    @Test(arguments: ["", "U", "XX", "USA", "1", "ÜS", "001", "U\u{0}"])
    func `a national number with a region that does not exist is refused`(_ region: String) {
        #expect(throws: PhoneNumberProblem.unknownRegion) { try PhoneNumber(parsing: "5551234567", region: region) }
    }

    @Test func `a double zero means the plus in every region`() throws {
        #expect(try PhoneNumber(parsing: "00442079460958", region: "US").e164 == "+442079460958")
    }

    @Test func `regions are known by their capital letters`() {
        #expect(PhoneNumber.isKnown(region: "US") && PhoneNumber.isKnown(region: "IN"))
        #expect(
            !PhoneNumber.isKnown(region: "us") && !PhoneNumber.isKnown(region: "XX") && !PhoneNumber.isKnown(region: "")
        )
    }
}
