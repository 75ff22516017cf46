import PhoneNumbers
import Testing

/// Numbers with a region's prefix for calls abroad. `deploy/phone-table/oracle` compares every prefix of every region with the Python
/// package `phonenumbers`.
@Suite struct InternationalPrefixTests {
    private func parsed(_ text: String, _ region: String?) -> String? {
        do throws(PhoneNumberProblem) { return try PhoneNumber(parsing: text, region: region).e164 } catch {
            return nil
        }
    }

    @Test(arguments: [
        ("008 1 415 555 2671", "KR", "+14155552671"), ("006 1 415 555 2671", "KR", "+14155552671"),
        ("00700 1 415-555-2671", "KR", "+14155552671"), ("0031 1 415 555 2671", "BR", "+14155552671"),
        ("00 15 44 7911 123456", "BR", "+447911123456"), ("8~10 44 7911 123456", "RU", "+447911123456"),
        ("8 10 1 415 555 2671", "KZ", "+14155552671"), ("8\u{2053}10 44 7911 123456", "BY", "+447911123456"),
        ("011 44 7911 123456", "US", "+447911123456"), ("(011) 81 90 1234 5678", "ca", "+819012345678"),
        ("010 1 415 555 2671", "JP", "+14155552671"), ("0011 64 21 123 4567", "AU", "+64211234567"),
        ("1414 0011 1 415 555 2671", "AU", "+14155552671"), ("119 1 415 555 2671", "CU", "+14155552671"),
        ("009 44 7911 123456", "NG", "+447911123456"), ("000 44 7911 123456", "KE", "+447911123456"),
        ("001 1 415 555 2671", "TH", "+14155552671"), ("007 33 6 12 34 56 78", "CO", "+33612345678"),
        ("990 1 415 555 2671", "FI", "+14155552671"), ("0 44 7911 123456", "CV", "+447911123456"),
        ("018 44 7911 123456", "IL", "+447911123456"), ("0~0 44 7911 123456", "UA", "+447911123456"),
        ("019 44 7911 123456", "SG", "+447911123456"), ("1230 1 415 555 2671", "CL", "+14155552671"),
    ])
    func `a number with one of the region's prefixes is a number of the country that it names`(
        _ text: String, _ region: String, _ canonical: String
    ) {
        #expect(parsed(text, region) == canonical)
    }

    @Test(arguments: [
        // An impossible number after the prefix is no number of the region either.
        ("8~10 44 7911", "RU"), ("008 1 415", "KR"), ("810 123 45 67", "RU"), ("011 44", "US"), ("0 287775", "CV"),
        // The code of a carrier that the table does not know.
        ("0036 1 415 555 2671", "BR"), ("00768 1 415 555 2671", "KR"), ("0013 1 415 555 2671", "AU"),
        ("003 44 7911 123456", "UG"), ("0012 0 1 555 0123", "BO"),
        // A carrier's prefix and a number abroad, or 00 and one of the region.
        ("0055 11 96123 4567", "BR"), ("0057 321 1234567", "CO"),
    ])
    func `a number that may be another one is refused`(_ text: String, _ region: String) {
        #expect(parsed(text, region) == nil)
    }

    @Test(arguments: [
        ("00 44 7911 123456", "US", "+447911123456"), ("0044 7911 123456", "JP", "+447911123456"),
        ("0044 7911 123456", "AU", "+447911123456"), ("0044 7911 123456", "RU", "+447911123456"),
        ("0082 10 1234 5678", "KR", "+821012345678"), ("00852 9123 4567", "HK", "+85291234567"),
        ("0065 9123 4567", "SG", "+6591234567"), ("00 1 415 555 2671", "DE", "+14155552671"),
    ])
    func `00 stands for the plus where it is not the beginning of another prefix, or the number is the region's`(
        _ text: String, _ region: String, _ canonical: String
    ) {
        #expect(parsed(text, region) == canonical)
    }

    @Test(
        arguments: [
            ("010 1234 5678", "KR", "+821012345678"), ("8 912 345-67-89", "RU", "+79123456789"),
            ("(011) 234-5678", "ZA", "+27112345678"), ("0812 345 678", "TH", "+66812345678"),
            ("09 901 2345", "FI", "+35899012345"),
            ("008 1 415 555 2671", nil, "+814155552671"),
        ] as [(String, String?, String?)])
    func `other numbers are read as before`(_ text: String, _ region: String?, _ canonical: String?) {
        #expect(parsed(text, region) == canonical)
    }
}
