import Foundation
import Testing

@testable import BenchCore

struct AgainstTests {
    @Test func `quartiles lie on the line between the values beside them`() throws {
        let spread = try #require(PairSpread([8, 1, 2, 3, 4, 5, 6, 7]))
        #expect(spread.lowerQuartile == 2.75 && spread.median == 4.5 && spread.upperQuartile == 6.25)
        #expect(spread.count == 8)
        let single = try #require(PairSpread([3]))
        #expect(single.lowerQuartile == 3 && single.median == 3 && single.upperQuartile == 3)
        #expect(PairSpread([]) == nil)
    }

    @Test func `each value is divided by the one beside it, so that a machine that grows slower is in no ratio`() throws
    {
        let ours = (1...8).map { 1.1 * Double($0) }
        let spread = try #require(PairSpread(ours, over: (1...8).map(Double.init)))
        #expect(abs(spread.lowerQuartile - 1.1) < 0.001 && abs(spread.upperQuartile - 1.1) < 0.001)
        #expect(PairSpread([1, 4], over: [0, 2])?.count == 1)
        #expect(PairSpread([1], over: [0]) == nil)
    }

    @Test func `one round in four that is no worse keeps a bound, a loss in all of them does not`() throws {
        let noisy = try #require(PairSpread([1.0, 1.0, 1.02, 1.3, 1.3, 1.4, 1.5, 2]))
        #expect(Figure("a", noisy, .count, bound: .atMost(1.05)).meetsBound)
        #expect(!Figure("a", noisy, .count, bound: .atMost(1.01)).meetsBound)
        let lost = try #require(PairSpread(Array(repeating: 1.06, count: 8)))
        #expect(!Figure("a", lost, .count, bound: .atMost(1.05)).meetsBound)
    }

    @Test func `rates are turned over, memory is a difference, and above is always worse`() throws {
        let ours = [
            Figure("x.cpu", 12, .microseconds), Figure("x.rate", 50, .perSecond), Figure("x.rss", 35, .megabytes),
        ]
        let theirs = [
            Figure("x.cpu", 10, .microseconds), Figure("x.rate", 100, .perSecond), Figure("x.rss", 34, .megabytes),
        ]
        let comparison = Comparison(
            Pairs(ours: Array(repeating: ours, count: 8), theirs: Array(repeating: theirs, count: 8)))
        let figures = comparison.figures(["x.cpu": 1.05, "x.rss": 2])
        #expect(figures.map(\.name) == ["against.x.cpu", "against.x.rate", "against.x.rss"])
        #expect(figures.map(\.value) == [1.2, 2, 1])
        #expect(figures.map(\.unit) == [.count, .count, .megabytes])
        #expect(figures.map(\.meetsBound) == [false, true, true])
        #expect(figures.map(\.bound) == [.atMost(1.05), nil, .atMost(2)])
    }

    @Test func `what one of two builds did not measure is compared with nothing`() {
        let pairs = Pairs(
            ours: [[Figure("old", 1, .seconds), Figure("new", 1, .seconds)]], theirs: [[Figure("old", 1, .seconds)]])
        #expect(Comparison(pairs).figures([:]).map(\.name) == ["against.old"])
    }

    @Test func `rounds take turns, in who is first too, and the first of each does not count`() async throws {
        var order: [String] = []
        let pairs = try await Pairs.run(4) { turn in
            order.append("ours \(turn)")
            return turn
        } theirs: { turn in
            order.append("theirs \(turn)")
            return turn * 10
        }
        #expect(pairs.ours == [1, 2, 3, 4] && pairs.theirs == [10, 20, 30, 40])
        #expect(
            order == [
                "ours 0", "theirs 0", "theirs 1", "ours 1", "ours 2", "theirs 2", "theirs 3", "ours 3", "ours 4",
                "theirs 4",
            ])
    }

    @Test func `a comparison says its quartiles and whether the bound was kept`() throws {
        let spread = try #require(PairSpread([1, 1.25, 1.5, 1.75, 2]))
        let line = FigureText.line(Figure("against.a", spread, .count, bound: .atMost(1.3)))
        #expect(line.contains("1.500") && line.contains("(quartiles 1.250 – 1.750, 5 pairs)"))
        #expect(line.hasSuffix("at most 1.300: kept"))
        let record = FigureRecord(Figure("against.a", spread, .count, bound: .atMost(1.2)), run: 0, machine: "this × 2")
        #expect(record.lowerQuartile == 1.25 && record.upperQuartile == 1.75 && record.pairs == 5 && record.min == nil)
    }

    @Test func `a build's policies are those beside it, then those of its checkout, then ours`() throws {
        let root = FileManager.default.temporaryDirectory.path() + "build-\(UUID().uuidString)"
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: root) } }
        let folder = root + "/before/.build/release"
        func write(_ path: String, executable: Bool = false) throws {
            let parent = URL(filePath: path).deletingLastPathComponent().path()
            try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
            let attributes: [FileAttributeKey: Any] = [.posixPermissions: executable ? 0o755 : 0o644]
            #expect(FileManager.default.createFile(atPath: path, contents: Data(), attributes: attributes))
        }
        #expect(throws: Build.NotBuilt.self) { try Build(in: folder) }
        try write(folder + "/supervisor", executable: true)
        #expect(try Build(in: folder).policies == Build.own.policies)
        try write(root + "/before/deploy/policies/howru.yaml")
        #expect(try Build(in: folder).policies.hasSuffix("/before/deploy/policies"))
        try write(folder + "/policies/howru.yaml")
        #expect(try Build(in: folder + "/").policies.hasSuffix("/release/policies"))
    }
}
