import Testing

@testable import ControlCore

@Suite struct ReviewEndTests {
    @Test func `a day ends with its last second, a time is itself`() {
        #expect(ReviewEnd(argument: "2026-12-31")?.second == 1_798_761_600)
        #expect(ReviewEnd(argument: "2026-12-31T12:00:00Z")?.second == 1_798_718_400)
    }

    @Test(arguments: ["", "tomorrow", "2026-13-01", "2026-12-3", "31.12.2026", "2026-12-31 12:00"])
    func `anything else is refused`(_ text: String) { #expect(ReviewEnd(argument: text) == nil) }
}
