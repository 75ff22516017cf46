import FoundationEssentials
import ServiceKit
import Testing

@Suite struct ISOTimeTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00"), (1_767_709_120, "2026-01-06T14:18:40"), (951_782_399, "2000-02-28T23:59:59"),
            (951_782_400, "2000-02-29T00:00:00"), (4_107_542_400, "2100-03-01T00:00:00"),
            (253_402_300_799, "9999-12-31T23:59:59"), (Int64.max, "9999-12-31T23:59:59"), (-1, "1970-01-01T00:00:00"),
        ] as [(Int64, String)])
    func `a time is written to the second`(second: Int64, text: String) {
        #expect(ISOTime.text(second) == text)
    }

    @Test func `it says what Foundation says`() {
        for second in stride(from: Int64(3), to: 8_000_000_000, by: 86_399 * 7_919) {
            let date = Date(timeIntervalSince1970: Double(second))
            #expect(date.formatted(.iso8601) == ISOTime.text(second) + "Z")
        }
    }
}
