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
