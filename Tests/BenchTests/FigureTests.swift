import BenchCore
import Foundation
import Testing

struct FigureTests {
    @Test func `the median of an even number of rounds lies between the two in the middle`() throws {
        let spread = try #require(Spread([4, 1, 3, 2]))
        #expect(spread.median == 2.5)
        #expect(spread.least == 1 && spread.most == 4 && spread.count == 4)
        #expect(Spread([7, 1, 2])?.median == 2)
        #expect(Spread([]) == nil)
    }

    @Test func `a machine that grows slower from turn to turn is in no ratio`() throws {
        let ratio = try #require(Spread([2.2, 4.4, 8.8], over: [2, 4, 8]))
        #expect((ratio.least...ratio.most).contains(1.1) && ratio.most - ratio.least < 0.001)
        #expect(Spread([1, 5], over: [0, 4])?.count == 1)
        #expect(Spread([1], over: [0]) == nil)
    }

    @Test func `a percentile is a value that was measured`() {
        let values = (1...200).map(Double.init)
        #expect(Percentile.of(values, percent: 50) == 100)
        #expect(Percentile.of(values, percent: 99) == 198)
        #expect(Percentile.of(values, percent: 100) == 200)
        #expect(Percentile.of(values, percent: 0) == 1)
        #expect(Percentile.of([3], percent: 99) == 3)
        #expect(Percentile.of([], percent: 50) == nil)
    }

    @Test(arguments: [
        (0.0, "0.000"), (0.0414, "0.041"), (9.9996, "10.000"), (12.34, "12.3"), (99.96, "100.0"), (1234.5, "1235"),
        (-3.25, "-3.250"), (.infinity, "inf"),
    ])
    func `numbers show the digits that mean something`(value: Double, text: String) {
        #expect(FigureText.number(value) == text)
    }

    @Test func `a missed bound stands out, one just reached does not`() {
        let reached = Figure("a.b", 40, .megabytes, bound: .atMost(40))
        let missed = Figure("a.b", 40.01, .megabytes, bound: .atMost(40))
        #expect(reached.meetsBound && FigureText.line(reached).hasSuffix("ok"))
        #expect(!missed.meetsBound && FigureText.line(missed).hasSuffix("MISSED"))
        #expect(!Figure("a.b", 4, .perSecond, bound: .atLeast(5)).meetsBound)
        #expect(Figure("a.b", 4, .perSecond).meetsBound)
    }

    @Test func `a record is one line of JSON that reads back`() throws {
        let figure = Figure("a.b", try #require(Spread([1, 2, 3])), .microseconds, bound: .atMost(5))
        let record = FigureRecord(figure, run: 1_700_000_000, machine: "this × 2")
        let line = try record.line()
        #expect(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(try JSONDecoder().decode(FigureRecord.self, from: line) == record)
    }
}
