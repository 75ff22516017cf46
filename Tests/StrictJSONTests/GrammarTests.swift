import StrictJSON
import Testing

/// RFC 8259: what it allows is accepted, all else refused.
@Suite struct GrammarTests {
    static let limits = StrictJSON.Limits(bytesMax: 65_536, depthMax: 16)

    static func violation(_ text: [UInt8], limits: StrictJSON.Limits = Self.limits) -> StrictJSONError.Code? {
        do {
            try StrictJSON.validate(text, limits: limits)
            return nil
        } catch { return error.code }
    }

    static func violation(_ text: String) -> StrictJSONError.Code? { violation(Array(text.utf8)) }

    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1", "-1", "10", "1.5", "-0.5", "1e1", "1E+2", "1e-2", "0e0", "0.0e00",
        "1e999", "\"\"", "\"a\"", "[]", "{}", "[ ]", "{ }", "[1]", "[1,2]", " [ 1 , 2 ] ", "{\"a\":1}",
        "\t\r\n 1 \t\r\n",
        "{\"a\":{\"b\":[{},[],\"\",0,null]}}", "{\"\":0}", "{\"a\":1,\"b\":1,\"A\":1}",
        "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]",
        #""\"\\\/\b\f\n\r\t\u0041""#, #""\ud83d\ude00""#, #""\uDBFF\uDFFF\uD800\uDC00""#, #""\u0000""#, "\"\u{7F}\"",
        "\"é\u{FFFF}😀\u{10FFFF}\"", "{\"é\":1,\"e\u{301}\":2}", "123456789012345678901234567890",
    ])
    func `strict JSON is accepted`(text: String) {
        #expect(Self.violation(text) == nil)
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined", "a", "'a'", "[", "]", "{", "}",
        "[1",
        "[1,]", "[,1]", "[,]", "[1 2]", "[1:2]", "[1}", "{]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{\"a\" 1}",
        "{a:1}", "{'a':1}", "{1:1}", "{\"a\":1 \"b\":2}", "{\"a\"::1}", "{\"a\":1,,\"b\":2}", "//c\n1", "/*c*/1",
        "1//c",
        "#1", "\"a", "\"", "\"\\", "\"\\\"", "1 2", "1,", "{}{}", "null null", "[]x", "\u{FEFF}1", "\u{A0}1",
        "1\u{2028}",
        "\u{0C}1", "\u{0B}1", "\0", "1\0",
    ])
    func `anything else is refused`(text: String) {
        #expect(Self.violation(text) != nil)
    }

    @Test(arguments: [
        "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1.e1", "1e", "1e+", "1E-", "1e1.5", "0x1", "1_000", "1a",
        "--1",
        "- 1", "1 .5", "٣", "0.", "1.5.5", "1ee1", "1f",
    ])
    func `numbers outside the grammar are refused`(text: String) {
        #expect(Self.violation(text) != nil)
        #expect(Self.violation("[\(text)]") != nil)
    }

    @Test(arguments: [
        #""\a""#, #""\x41""#, #""\'""#, #""\u""#, #""\u1""#, #""\u12g4""#, #""\u123""#, #""\U0041""#, #""\u+123""#,
        #""\u 123""#, #""\u-001""#,
    ])
    func `unknown escapes are refused`(text: String) {
        #expect(Self.violation(text) == .invalidEscape)
    }

    @Test(arguments: [
        #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\udc00\ud800""#, #""\ud800a""#, #""\ud800\n""#,
        #""\ud800\u0041""#,
        #""\ud800\u""#, #"{"\udfff":1}"#,
    ])
    func `half a surrogate pair is refused`(text: String) {
        #expect(Self.violation(text) == .unpairedSurrogate)
    }

    @Test func `raw control characters are refused in strings`() {
        for byte in UInt8(0)..<0x20 { #expect(Self.violation([0x22, byte, 0x22]) == .controlCharacter) }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE],
            [0xFF],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func `broken UTF-8 is refused`(sequence: [UInt8]) {
        #expect(Self.violation([0x22] + sequence + [0x22]) == .invalidUTF8)
        #expect(Self.violation([0x22] + sequence) != nil)
        #expect(Self.violation(sequence) != nil)
    }

    @Test func `other encodings and byte order marks are refused`() {
        #expect(Self.violation([0xEF, 0xBB, 0xBF] + Array("{}".utf8)) == .byteOrderMark)
        #expect(Self.violation([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00]) != nil)
        #expect(Self.violation([0x00, 0x7B, 0x00, 0x7D]) != nil)
        #expect(Self.violation([0x7B, 0x00, 0x7D, 0x00]) != nil)
    }

    @Test(arguments: [
        #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":1}"#, #"{"\u0061":1,"\u0061":1}"#,
        #"{"é":1,"\u00e9":1}"#, #"{"😀":1,"\ud83d\ude00":1}"#, #"{"\/":1,"/":1}"#, #"{"":1,"":1}"#,
        #"[{"x":{"a":1,"a":1}}]"#,
        #"{"\n":1,"\u000A":1}"#,
    ])
    func `a name twice in one object is refused`(text: String) {
        #expect(Self.violation(text) == .duplicateName)
    }

    @Test func `a name may come again in another object`() {
        #expect(Self.violation(#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#) == nil)
    }

    @Test(arguments: [2, 23, 24, 25, 26, 100, 3000])
    func `the last of many names is compared with all`(count: Int) {
        let members = (0..<count).map { "\"name\($0)\":0" }
        #expect(Self.violation("{" + members.joined(separator: ",") + "}") == nil)
        for index in [0, count / 2, count - 1] {
            let twice = members + ["\"n\\u0061me\(index)\":1"]
            #expect(Self.violation("{" + twice.joined(separator: ",") + "}") == .duplicateName)
        }
    }
}
