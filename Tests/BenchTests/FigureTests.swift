import Foundation
import Testing

@testable import BenchCore

struct FigureTests {
    @Test func `of an even number of rounds the median lies between the two in the middle`() throws {
        let spread = try #require(Spread([4, 1, 3, 2]))
        #expect(spread.median == 2.5 && spread.low == 1 && spread.high == 4 && spread.count == 4)
        #expect(Spread([7, 1, 2])?.median == 2)
        #expect(Spread([]) == nil && Spread(ofPairs: []) == nil)
    }

    @Test func `quartiles lie on the line between the values beside them`() throws {
        let spread = try #require(Spread(ofPairs: [8, 1, 2, 3, 4, 5, 6, 7]))
        #expect(spread.low == 2.75 && spread.median == 4.5 && spread.high == 6.25 && spread.count == 8)
        let single = try #require(Spread(ofPairs: [3]))
        #expect(single.low == 3 && single.median == 3 && single.high == 3)
    }

    @Test func `each value is divided by the one beside it, so that a machine that grows slower is in no ratio`() throws
    {
        let ratios = Pairs.compared(.seconds, (1...8).map { 1.1 * Double($0) }, (1...8).map(Double.init))
        #expect(ratios.count == 8 && ratios.allSatisfy { abs($0 - 1.1) < 0.001 })
        #expect(Pairs.compared(.seconds, [1, 4], [0, 2]) == [2])
    }

    @Test func `one round in four that is no worse keeps a bound, a loss in all of them does not`() throws {
        let noisy = try #require(Spread(ofPairs: [1.0, 1.0, 1.02, 1.3, 1.3, 1.4, 1.5, 2]))
        #expect(Figure("a", noisy, .count, bound: .atMost(1.05)).meetsBound)
        #expect(!Figure("a", noisy, .count, bound: .atMost(1.01)).meetsBound)
        let lost = try #require(Spread(ofPairs: Array(repeating: 1.06, count: 8)))
        #expect(!Figure("a", lost, .count, bound: .atMost(1.05)).meetsBound)
    }

    @Test func `rates are turned over, memory is a difference, and above is always worse`() throws {
        let ours = [
            Figure("x.cpu", 12, .microseconds), Figure("x.rate", 50, .perSecond), Figure("x.rss", 35, .megabytes),
            Figure("x.new", 1, .seconds),
        ]
        let theirs = [
            Figure("x.cpu", 10, .microseconds), Figure("x.rate", 100, .perSecond), Figure("x.rss", 34, .megabytes),
        ]
        let pairs = Pairs(ours: Array(repeating: ours, count: 8), theirs: Array(repeating: theirs, count: 8))
        // A figure that only one of the two builds measured is left out.
        let figures = pairs.worse(["x.cpu": 1.05, "x.rss": 2]).under("against")
        #expect(figures.map(\.name) == ["against.x.cpu", "against.x.rate", "against.x.rss"])
        #expect(figures.map(\.value) == [1.2, 2, 1])
        #expect(figures.map(\.unit) == [.count, .count, .megabytes])
        #expect(figures.map(\.meetsBound) == [false, true, true])
        #expect(figures.map(\.bound) == [.atMost(1.05), nil, .atMost(2)])
    }

    @Test func `rounds take turns, in who is first too, and the first of each does not count`() async throws {
        var order: [String] = []
        let pairs = try await Pairs.run(4) { turn in
            order.append("ours \(turn)")
            return [Figure("a", Double(turn), .count)]
        } theirs: { turn in
            order.append("theirs \(turn)")
            return [Figure("a", Double(turn * 10), .count)]
        }
        #expect(Rounds.values("a", pairs.ours) == [1, 2, 3, 4])
        #expect(Rounds.values("a", pairs.theirs) == [10, 20, 30, 40])
        let turns = [
            "ours 0", "theirs 0", "theirs 1", "ours 1", "ours 2", "theirs 2", "theirs 3", "ours 3", "ours 4",
            "theirs 4",
        ]
        #expect(order == turns)
    }

    @Test func `a percentile is a value that was measured`() {
        let values = (1...200).map(Double.init)
        #expect([50, 99, 100, 0].map { Percentile.of(values, percent: $0) } == [100, 198, 200, 1])
        #expect(Percentile.of([3], percent: 99) == 3 && Percentile.of([], percent: 50) == 0)
    }

    @Test(arguments: [
        (0.0, "0.000"), (0.0414, "0.041"), (9.9996, "10.000"), (12.34, "12.3"), (99.96, "100.0"), (1234.5, "1235"),
        (-3.25, "-3.250"), (.infinity, "inf"),
    ])
    func `numbers show the digits that mean something`(value: Double, text: String) {
        #expect(Figure.text(value) == text)
    }

    @Test func `a missed bound stands out, one just reached does not`() throws {
        let reached = Figure("a.b", 40, .megabytes, bound: .atMost(40))
        let missed = Figure("a.b", 40.01, .megabytes, bound: .atMost(40))
        #expect(reached.meetsBound && reached.line.hasSuffix("ok"))
        #expect(!missed.meetsBound && missed.line.hasSuffix("MISSED"))
        #expect(!Figure("a.b", 4, .perSecond, bound: .atLeast(5)).meetsBound)
        #expect(Figure("a.b", 4, .perSecond).meetsBound)
        let spread = try #require(Spread(ofPairs: [1, 1.25, 1.5, 1.75, 2]))
        let line = Figure("against.a", spread, .count, bound: .atMost(1.3)).line
        #expect(line.contains("1.500") && line.contains("(quartiles 1.250 – 1.750, 5 pairs)"))
        #expect(line.hasSuffix("at most 1.300: kept"))
    }

    @Test func `a record is one line of JSON that reads back`() throws {
        let figure = Figure("a.b", rounds: [1, 2, 3], .microseconds, bound: .atMost(5))
        let record = FigureRecord(figure, run: 1_700_000_000, machine: "this × 2")
        let line = try record.line()
        #expect(line.last == UInt8(ascii: "\n") && line.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(try JSONDecoder().decode(FigureRecord.self, from: line) == record)
        #expect(record.min == 1 && record.max == 3 && record.rounds == 3 && record.atMost == 5 && record.pairs == nil)
        let pairs = FigureRecord(
            Figure("a", try #require(Spread(ofPairs: [1, 1.25, 1.5, 1.75, 2])), .count), run: 0, machine: "")
        #expect(pairs.lowerQuartile == 1.25 && pairs.upperQuartile == 1.75 && pairs.pairs == 5 && pairs.min == nil)
    }
}
