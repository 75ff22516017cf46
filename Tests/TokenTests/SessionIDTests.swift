import Testing

@testable import TokenCore

struct SessionIDTests {
    @Test func `names of one second lie together and differ`() {
        let names = Set((0..<1_000).map { _ in SessionID.new(at: 0x6502_0304).text })
        #expect(names.count == 1_000)
        #expect(names.allSatisfy { $0.hasPrefix("65020304") && $0.utf8.count == 24 })
    }

    @Test func `a name is read in its own length alone`() {
        let name = SessionID.new(at: 7)
        #expect(SessionID(text: name.text) == name)
        #expect(SessionID(text: name.text + "00") == nil && SessionID(text: "xx") == nil)
    }
}
