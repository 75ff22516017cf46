import StrictJSON
import Testing

@Suite struct ValueTests {
    static func value(_ text: String) throws -> JSONValue {
        try StrictJSON.parse(Array(text.utf8), limits: GrammarTests.limits)
    }

    @Test func `every kind of value is read`() throws {
        let value = try Self.value(#"{"s":"x","i":7,"d":1.5,"t":true,"f":false,"n":null,"a":[1,"2",[]],"o":{"k":"v"}}"#)
        #expect(value["s"]?.stringValue == "x")
        #expect(value["i"]?.integerValue == 7)
        #expect(value["d"] == .double(1.5))
        #expect(value["t"]?.boolValue == true)
        #expect(value["f"]?.boolValue == false)
        #expect(value["n"] == .null)
        #expect(value["a"]?.arrayValue == [.integer(1), .string("2"), .array([])])
        #expect(value["o"]?["k"]?.stringValue == "v")
        #expect(value["missing"] == nil)
        #expect(value.objectValue?.members.map(\.name) == ["s", "i", "d", "t", "f", "n", "a", "o"])
    }

    @Test(
        arguments: [
            ("0", .integer(0)), ("-0", .integer(0)), ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("9223372036854775808", .double(0x1p63)),
            ("-9223372036854775809", .double(-0x1p63)), ("1.0", .double(1)), ("1e0", .double(1)),
            ("1e300", .double(1e300)),
            ("1e-999", .double(0)), ("100000000000000000000", .double(1e20)), ("0.1", .double(0.1)),
        ] as [(String, JSONValue)])
    func `integers are exact, other numbers the nearest double`(text: String, value: JSONValue) throws {
        #expect(try Self.value(text) == value)
    }

    @Test(arguments: ["1e309", "-1e309", "1e999999999999999999999", "[1e400]", "{\"a\":-1e400}"])
    func `a number beyond every double is refused`(text: String) {
        let error = #expect(throws: StrictJSONError.self) { try Self.value(text) }
        #expect(error?.code == .numberOutOfRange)
    }

    @Test func `thousands of digits are a number too`() throws {
        #expect(try Self.value("0." + String(repeating: "3", count: 10_000)) == .double(1.0 / 3))
        #expect(throws: StrictJSONError.self) { try Self.value(String(repeating: "9", count: 10_000)) }
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "A\u{E9}\u{20AC}"),
        (#""\ud83d\ude00!""#, "\u{1F600}!"), (#""\u0000""#, "\0"), ("\"é😀\"", "é😀"), (#""é\n😀""#, "é\n😀"),
        (#""\ud800\udc00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
    ])
    func `escapes are resolved`(text: String, content: String) throws {
        let string = try #require(try Self.value(text).stringValue)
        #expect(Array(string.utf8) == Array(content.utf8))
    }

    @Test func `names that only look alike are different members`() throws {
        // As Swift strings both pairs are equal.
        let value = try Self.value("{\"\u{212A}\":1,\"K\":2,\"e\u{301}\":3,\"\u{E9}\":4}")
        #expect(value["K"]?.integerValue == 2)
        #expect(value["\u{212A}"]?.integerValue == 1)
        #expect(value["\u{E9}"]?.integerValue == 4)
        #expect(value["e\u{301}"]?.integerValue == 3)
    }

    @Test func `what the writer writes is read back`() throws {
        let awkward = "\"\\/\u{0}\u{1F}\u{7F}\n é 😀 \u{2028}"
        var writer = JSONWriter()
        writer.member(awkward, awkward)
        writer.member("i", .min)
        writer.member("b", true)
        writer.member("a", ["", awkward])
        writer.member("e", [String]())
        let value = try StrictJSON.parse(writer.finished(), limits: GrammarTests.limits)
        #expect(value[awkward]?.stringValue == awkward)
        #expect(value["i"]?.integerValue == .min)
        #expect(value["b"]?.boolValue == true)
        #expect(value["a"]?.arrayValue == [.string(""), .string(awkward)])
        #expect(value["e"]?.arrayValue == [])
        #expect(JSONWriter().finished() == Array("{}".utf8))
    }

    @Test func `mutated texts end no process, and what parses validates`() {
        let seed = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00\n",{"b":null,"c":true}],"é":"😀","d":false}"#.utf8)
        let pool = Array("{}[]:,\"\\u0123456789abcdefDdEe+-. \n\0".utf8) + [0x80, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xFF]
        var generator = Xorshift(state: 0x9E37_79B9_7F4A_7C15)
        for _ in 0..<20_000 {
            var text = seed
            for _ in 0...generator.next(below: 4) {
                let position = generator.next(below: text.count)
                switch generator.next(below: 3) {
                case 0: text[position] = pool[generator.next(below: pool.count)]
                case 1: text.insert(pool[generator.next(below: pool.count)], at: position)
                default: text.remove(at: position)
                }
            }
            let parsed = (try? StrictJSON.parse(text, limits: GrammarTests.limits)) != nil
            if parsed { #expect(GrammarTests.violation(text) == nil) }
        }
    }
}

/// A generator of the same numbers in every run.
private struct Xorshift {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
}
