import StrictJSON
import Testing

@Suite struct MergePatchTests {
    /// The test cases of RFC 7396, appendix A: the original, the patch and the result.
    @Test(
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
            (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
            (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
            (#"{"a":"foo"}"#, "null", "null"),
            (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"a":1,"e":null}"#),
            ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ])
    func `the cases of RFC 7396 have its results`(original: String, patch: String, result: String) throws {
        let merged = try ValueTests.value(original).merged(with: try ValueTests.value(patch))
        #expect(String(decoding: merged.canonical, as: UTF8.self) == result)
    }

    @Test func `an empty patch changes nothing, and a missing member keeps its value`() throws {
        let original = try ValueTests.value(#"{"keeps":{"deep":[1]},"x":true}"#)
        #expect(original.merged(with: .object(.empty)) == original)
        let merged = original.merged(with: try ValueTests.value(#"{"keeps":{"new":"é"}}"#))
        #expect(
            merged.canonical == ValueTests.bytes(#"{"keeps":{"deep":[1],"new":"é"},"x":true}"#))
    }

    @Test func `names are compared by their bytes`() throws {
        let original = try ValueTests.value("{\"K\":1}")
        let merged = original.merged(with: try ValueTests.value("{\"\u{212A}\":2,\"__proto__\":{\"admin\":true}}"))
        #expect(merged["K"] == .integer(1) && merged["\u{212A}"] == .integer(2))
        #expect(merged["__proto__"]?["admin"] == .bool(true) && merged["admin"] == nil)
    }

    @Test func `one value has one text, however it was written`() throws {
        let text = #" { "b" : [ 1 , 2.50 , "\u00e9\u0001" ] , "a" : { "z" : null , "y" : -0 } } "#
        let canonical = try ValueTests.value(text).canonical
        #expect(canonical == ValueTests.bytes(#"{"a":{"y":0,"z":null},"b":[1,2.5,"é\u0001"]}"#))
        #expect(try StrictJSON.parse(canonical, limits: GrammarTests.limits).canonical == canonical)
    }

    @Test(
        arguments: [
            ("-0", "0"), ("-0.0", "-0.0"), ("1.0", "1.0"), ("1e2", "100.0"), ("1e-400", "0.0"), ("5e-324", "5e-324"),
            ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
            ("9223372036854775808", "9.223372036854776e+18"), ("1e300", "1e+300"),
        ])
    func `a number is written as it was read, and read again has the same text`(text: String, number: String) throws {
        let canonical = try ValueTests.value(text).canonical
        #expect(String(decoding: canonical, as: UTF8.self) == number)
        #expect(try ValueTests.value(number).canonical == canonical)
    }

    @Test func `any value is a part of a type's JSON`() throws {
        struct Body: Codable, Equatable { let any: JSONValue }
        let body = Body(any: try ValueTests.value(#"{"a":[{},[],null,1.5,"x"],"b":{}}"#))
        let text = try StrictJSON.encode(body)
        #expect(text == ValueTests.bytes(#"{"any":{"a":[{},[],null,1.5,"x"],"b":{}}}"#))
        #expect(try StrictJSON.decode(Body.self, from: text, limits: GrammarTests.limits) == body)
    }

    @Test func `thousands of members are merged, each into its own`() throws {
        func object(_ range: Range<Int>) -> String {
            "{" + range.map { "\"m\($0)\":\($0)" }.joined(separator: ",") + "}"
        }
        let patch = try ValueTests.value(object(2_000..<6_000).replacing("\"m3000\":3000", with: "\"m3000\":null"))
        let merged = try ValueTests.value(object(0..<4_000)).merged(with: patch)
        let names = try #require(merged.objectValue).members.map(\.name)
        #expect(names == (0..<6_000).filter { $0 != 3_000 }.map { "m\($0)" })
        #expect(merged["m3000"] == nil && merged["m3999"] == .integer(3_999))
    }
}

extension ValueTests {
    static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
