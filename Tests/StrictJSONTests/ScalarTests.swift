import StrictJSON
import Testing

/// Strings and numbers of every kind, where they are searched and written many bytes at a time.
@Suite struct ScalarTests {
    /// Each of these needs an escape, or looks as if it did to who looks at single bits.
    private static let awkward =
        (0..<0x20).map { String(Unicode.Scalar(UInt8($0))) } + ["\"", "\\", "\u{7F}", "!", "]", "é", "\u{FFFF}", "😀"]

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try StrictJSON.encode(value), as: UTF8.self)
    }

    /// The string as RFC 8259 §7 has it, made byte by byte.
    private static func quoted(_ string: String) -> String {
        let escaped = string.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\0"..<"\u{10}": "\\u000" + String(scalar.value, radix: 16)
            case "\u{10}"..<" ": "\\u00" + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    @Test(arguments: awkward) func `a character is found wherever it stands`(character: String) throws {
        for length in 0..<20 {
            for place in 0...length {
                let before = String(repeating: "a", count: place)
                let string = before + character + String(repeating: "~", count: length - place)
                let text = "[\(Self.quoted(string))]"
                #expect(try Self.text([string]) == text)
                let read = try StrictJSON.decode([String].self, from: Array(text.utf8), limits: .own)
                #expect(read.map { Array($0.utf8) } == [Array(string.utf8)])
            }
        }
    }

    @Test func `neighbours do not hide each other`() throws {
        let string = Self.awkward.joined() + Self.awkward.reversed().joined()
        #expect(try Self.text([string: string]) == "{\(Self.quoted(string)):\(Self.quoted(string))}")
    }

    @Test(arguments: 0..<20) func `a raw control character is found wherever it stands`(place: Int) {
        var text = Array("\"\(String(repeating: "a", count: 20))\"".utf8)
        for byte in UInt8(0)..<0x20 {
            text[place + 1] = byte
            #expect(GrammarTests.violation(text) == .controlCharacter)
        }
        text[place + 1] = 0x80
        #expect(GrammarTests.violation(text) == .invalidUTF8)
    }

    @Test func `very long strings are written and read back`() throws {
        let string = String(repeating: "0123456789 é\n", count: 20_000)
        let text = try StrictJSON.encode(string)
        #expect(try StrictJSON.decode(String.self, from: text, limits: .own) == string)
        #expect(try Self.text("") == "\"\"")
        #expect(try StrictJSON.decode(String.self, from: Array("\"\"".utf8), limits: .own).isEmpty)
    }

    @Test func `integers are written to their ends`() throws {
        let ends = [Int64.min, .min + 1, -10, -9, -1, 0, 1, 9, 10, 99, 100, .max - 1, .max]
        #expect(try Self.text(ends) == "[" + ends.map(String.init).joined(separator: ",") + "]")
        #expect(try StrictJSON.decode([Int64].self, from: try StrictJSON.encode(ends), limits: .own) == ends)
        #expect(try Self.text(["u": UInt64.max]) == #"{"u":18446744073709551615}"#)
        #expect(try Self.text(["i": Int8.min]) == #"{"i":-128}"#)
        var writer = JSONWriter()
        writer.member("i", .min)
        #expect(String(decoding: writer.finished(), as: UTF8.self) == #"{"i":-9223372036854775808}"#)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854777857", "18446744073709551616", "92233720368547758070",
        "99999999999999999999999",
    ])
    func `a number beyond an integer is not cut to one`(text: String) {
        #expect(throws: DecodingError.self) {
            try StrictJSON.decode([Int64].self, from: Array("[\(text)]".utf8), limits: .own)
        }
    }
}
