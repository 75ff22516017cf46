import StrictJSON
import Testing

@Suite struct LimitTests {
    @Test(arguments: ["[", "{\"a\":"])
    func `nesting ends at its limit`(opening: String) {
        let closing = opening == "[" ? "]" : "}"
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: opening, count: depth) + "0" + String(repeating: closing, count: depth)).utf8)
        }
        let limits = StrictJSON.Limits(bytesMax: 1000, depthMax: 8)
        #expect(GrammarTests.violation(nested(8), limits: limits) == nil)
        #expect(GrammarTests.violation(nested(9), limits: limits) == .tooDeep)
        #expect(GrammarTests.violation(Array("0".utf8), limits: .init(bytesMax: 1, depthMax: 0)) == nil)
        #expect(GrammarTests.violation(Array("[]".utf8), limits: .init(bytesMax: 2, depthMax: 0)) == .tooDeep)
    }

    @Test func `no limit that is asked for lets a text exhaust the stack`() {
        let limits = StrictJSON.Limits(bytesMax: .max, depthMax: .max)
        let text = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        #expect(GrammarTests.violation(text, limits: limits) == .tooDeep)
    }

    @Test func `a text of one byte too many is refused unread`() {
        let limits = StrictJSON.Limits(bytesMax: 4, depthMax: 1)
        #expect(GrammarTests.violation(Array("1234".utf8), limits: limits) == nil)
        #expect(GrammarTests.violation(Array("12345".utf8), limits: limits) == .tooLarge)
        #expect(GrammarTests.violation(Array("!!!!!".utf8), limits: limits) == .tooLarge)
    }

    @Test func `a violation tells its place`() {
        let error = #expect(throws: StrictJSONError.self) {
            try StrictJSON.validate(Array(#"{"a":1,"a":2}"#.utf8), limits: GrammarTests.limits)
        }
        #expect(error?.offset == 8)
        #expect(error?.description == "duplicateName at byte 8")
    }
}
