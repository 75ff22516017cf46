import StrictJSON
import Testing

/// Errors lead to the value that is meant, also where it lies deep and behind others.
@Suite struct PathTests {
    private struct Leaf: Codable { var ratio: Double }
    private struct Branch: Codable {
        var before = ["a": [1, 2]]
        var list: [[Leaf]]
        var table: [String: Leaf] = [:]
    }

    /// The coding paths that hand-made containers find.
    private struct Ways: Decodable {
        enum Outer: String, CodingKey { case inner, list }
        enum Inner: String, CodingKey { case value = "va\"lue" }
        struct Here: Decodable {
            init(from decoder: any Decoder) throws { throw Found(decoder.codingPath) }
        }
        struct Found: Error {
            let path: [String]
            init(_ path: [any CodingKey]) { self.path = path.map(\.stringValue) }
        }

        init(from decoder: any Decoder) throws {
            let outer = try decoder.container(keyedBy: Outer.self)
            let inner = try outer.nestedContainer(keyedBy: Inner.self, forKey: .inner)
            #expect(inner.codingPath.map(\.stringValue) == ["inner"])
            var list = try outer.nestedUnkeyedContainer(forKey: .list)
            _ = try list.decode(String.self)
            #expect(list.codingPath.map(\.stringValue) == ["list"])
            _ = try inner.decode(Here.self, forKey: .value)
        }
    }

    private static func path(_ error: (any Error)?) -> [String]? {
        switch error as? DecodingError {
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?, .keyNotFound(_, let context)?:
            context.codingPath.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
        default: nil
        }
    }

    @Test(arguments: [
        (#"{"before":{"a":[1,"2"]},"list":[],"table":{}}"#, ["before", "a", "1"]),
        (
            #"{"before":{"a":[1,2]},"list":[[{"ratio":1}],[],[{"ratio":1},{"x":[{}],"ratio":""}]],"table":{}}"#,
            ["list", "2", "1", "ratio"]
        ),
        (#"{"before":{},"list":[[{"ratio":1},{"ratios":1}]],"table":{}}"#, ["list", "0", "1"]),
        (#"{"before":{},"list":[[{"ratio":null}]],"table":{}}"#, ["list", "0", "0", "ratio"]),
        (#"{"before":{},"list":[],"table":{"a":{"ratio":1},"\u0062":{"ratio":[]}}}"#, ["table", "b", "ratio"]),
        (#"{"before":{},"list":[],"tables":{}}"#, []), (#"[]"#, []), (#"{"before":{},"list":{},"table":{}}"#, ["list"]),
    ])
    func `a value that does not fit is found`(text: String, path: [String]) {
        let error = #expect(throws: DecodingError.self) {
            try StrictJSON.decode(Branch.self, from: Array(text.utf8), limits: .own)
        }
        #expect(Self.path(error) == path)
    }

    @Test func `a number that JSON cannot write is refused`() {
        let branch = Branch(list: [[], [Leaf(ratio: 1), Leaf(ratio: .nan)]])
        #expect(throws: EncodingError.self) { try StrictJSON.encode(branch) }
    }

    @Test func `containers made by hand know their way`() {
        let text = Array(#"{"list":["x"],"inner":{"a":[],"va\"lue":{}}}"#.utf8)
        let read = #expect(throws: Ways.Found.self) { try StrictJSON.decode(Ways.self, from: text, limits: .own) }
        #expect(read?.path == ["inner", "va\"lue"])
    }

    @Test func `containers that are asked for late or as two kinds end no process`() {
        struct Turns: Encodable {
            enum Key: String, CodingKey { case first, second, third }
            func encode(to encoder: any Encoder) throws {
                var outer = encoder.container(keyedBy: Key.self)
                var first = outer.nestedContainer(keyedBy: Key.self, forKey: .first)
                let late = first.superEncoder(forKey: .first)
                var value = late.singleValueContainer()
                try value.encode("x")
                _ = outer.nestedContainer(keyedBy: Key.self, forKey: .second)
                _ = outer.nestedUnkeyedContainer(forKey: .third)
            }
        }
        struct Both: Encodable {
            func encode(to encoder: any Encoder) throws {
                var object = encoder.container(keyedBy: Turns.Key.self)
                try object.encode("x", forKey: .first)
                var array = encoder.unkeyedContainer()
                for _ in 0..<9 { try array.encode("") }
            }
        }
        #expect(throws: Never.self) { try StrictJSON.encode(Turns()) }
        #expect(throws: EncodingError.self) { try StrictJSON.encode(["x": [Both()]]) }
    }

    @Test func `members are found in any order, also after others were missing`() throws {
        struct Members: Codable, Equatable {
            var a: Int64
            var b: String?
            var c: [String: Int64]
            var d: Bool?
            var e: Int64?
        }
        let all = [#""a":1"#, #""b":"x""#, #""c":{"a":2,"e":3}"#, #""d":true"#, #""e":5"#]
        let expected = Members(a: 1, b: "x", c: ["a": 2, "e": 3], d: true, e: 5)
        for turn in all.indices {
            for order in [all[turn...] + all[..<turn], ArraySlice((all[turn...] + all[..<turn]).reversed())] {
                let text = Array("{\(order.joined(separator: ","))}".utf8)
                #expect(try StrictJSON.decode(Members.self, from: text, limits: .own) == expected)
            }
        }
        let some = Array(#"{"e":5,"c":{},"a":1,"f":{"b":"x"}}"#.utf8)
        #expect(try StrictJSON.decode(Members.self, from: some, limits: .own) == Members(a: 1, c: [:], e: 5))
    }
}
