import Foundation
import StrictJSON
import Testing

private struct Leaf: Codable, Equatable {
    var name: String
    var count: Int?
}

private struct Everything: Codable, Equatable {
    enum Kind: String, Codable { case first, second }

    var text = "a \"quoted\" \\ line\nwith \u{1}, / and é😀"
    var number: Int64 = -9_007_199_254_740_993
    var small: UInt8 = 255
    var ratio = 0.25
    var flag = true
    var kind = Kind.second
    var missing: String?
    var leaf = Leaf(name: "x", count: nil)
    var leaves = [Leaf(name: "", count: 0), Leaf(name: "y", count: 7)]
    var words = ["a", "b"]
    var none: [Leaf] = []
    var table = ["only": [1, 2]]
}

/// Writes its members by hand into nested containers.
private struct Nested: Encodable {
    enum Outer: String, CodingKey { case inner, list, after }
    enum Inner: String, CodingKey { case value }

    /// Whether the inner container is written to again after the outer one was.
    var byTurns = false

    func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Outer.self)
        var inner = outer.nestedContainer(keyedBy: Inner.self, forKey: .inner)
        try inner.encode("v", forKey: .value)
        var list = outer.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        try list.encodeNil()
        try outer.encodeNil(forKey: .after)
        if byTurns { try inner.encode("late", forKey: .value) }
    }
}

@Suite struct CodingTests {
    private static func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
        try StrictJSON.decode(type, from: Array(text.utf8), limits: GrammarTests.limits)
    }

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try StrictJSON.encode(value), as: UTF8.self)
    }

    @Test func `what is written is read back`() throws {
        let value = Everything()
        #expect(try Self.decode(try Self.text(value)) == value)
    }

    @Test func `Foundation reads what is written, and the other way round`() throws {
        let value = Everything()
        #expect(try JSONDecoder().decode(Everything.self, from: Data(try StrictJSON.encode(value))) == value)
        let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
        #expect(try Self.decode(text) == value)
    }

    @Test func `members stand in their order, without white space, escaped no further than needed`() throws {
        #expect(try Self.text(Leaf(name: "a/\"b\"\u{7}é", count: 1)) == #"{"name":"a/\"b\"\u0007é","count":1}"#)
        #expect(try Self.text(Leaf(name: "x", count: nil)) == #"{"name":"x"}"#)
        #expect(try Self.text([Leaf]()) == "[]")
        #expect(try Self.text([[1], []]) == "[[1],[]]")
    }

    @Test func `a value without members is an empty object`() throws {
        struct Empty: Codable {}
        #expect(try Self.text(Empty()) == "{}")
        #expect(try Self.text([Empty(), Empty()]) == "[{},{}]")
        #expect(throws: Never.self) { try Self.decode("{}", as: Empty.self) }
    }

    @Test func `nested containers end where the next member begins`() throws {
        #expect(try Self.text(Nested()) == #"{"inner":{"value":"v"},"list":[1,null],"after":null}"#)
        #expect(try Self.text([Nested(), Nested()]).hasSuffix(#""after":null}]"#))
    }

    @Test func `containers written by turns are refused, not mixed up`() {
        #expect(throws: EncodingError.self) { try Self.text(Nested(byTurns: true)) }
    }

    @Test(arguments: [Double.nan, .infinity]) func `a number that JSON cannot write is refused`(number: Double) {
        #expect(throws: EncodingError.self) { try Self.text([number]) }
    }

    @Test(arguments: ["256", "-1", "1.5", "\"1\"", "true", "1e99"])
    func `a number that the type does not hold is refused`(text: String) {
        #expect(throws: DecodingError.self) { try Self.decode(text, as: UInt8.self) }
    }

    @Test func `an integer may be written as a decimal`() throws {
        #expect(try Self.decode("[7.0,7e0]", as: [Int].self) == [7, 7])
    }

    @Test func `null and nothing are nil, unknown members are passed over`() throws {
        #expect(try Self.decode(#"{"name":"x","count":null,"more":[{}]}"#, as: Leaf.self) == Leaf(name: "x"))
        #expect(try Self.decode(#"{"name":"x"}"#, as: Leaf.self) == Leaf(name: "x"))
    }

    @Test func `a missing member is named`() throws {
        let error = #expect(throws: DecodingError.self) { try Self.decode(#"{"count":1}"#, as: Leaf.self) }
        guard case .keyNotFound(let key, _)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(key.stringValue == "name")
    }

    @Test(arguments: [
        (#"[{"name":"x"},{"name":7}]"#, ["1", "name"]), (#"[{"name":null}]"#, ["0", "name"]),
        (#"[{"name":"x","count":"many"}]"#, ["0", "count"]), (#"["x"]"#, ["0"]), (#"{}"#, []),
    ])
    func `the path leads to what does not fit`(text: String, path: [String]) throws {
        let error = #expect(throws: DecodingError.self) { try Self.decode(text, as: [Leaf].self) }
        switch error {
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
            #expect(context.codingPath.map(\.stringValue) == path)
        default: Issue.record("another error: \(String(describing: error))")
        }
    }

    @Test(arguments: [#"{"name":"x","name":"y"}"#, #"{"name":"x",}"#, "\u{FEFF}{}", #"{"name":"\ud800"}"#, "{} {}"])
    func `only strict JSON is decoded`(text: String) {
        #expect(throws: StrictJSONError.self) { try Self.decode(text, as: Leaf.self) }
    }

    @Test func `an array that ends too early is an error`() {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
                _ = try container.decode(Int.self)
            }
        }
        #expect(throws: DecodingError.self) { try Self.decode("[1]", as: Pair.self) }
        #expect(throws: Never.self) { try Self.decode("[1,2,3]", as: Pair.self) }
    }
}
