import CopyTargets
import Foundation
import SQLiteStore
import Storage
import TestSupport
import Testing

@testable import ContinuousCopy

@Suite struct CopierTests {
    private static func names(_ range: Range<Int>) -> Set<String> { Set(range.map { "row-\($0)" }) }

    @Test(.timeLimit(.minutes(5))) func `each point can be restored, whatever was written since`() async throws {
        try await withFixture { fixture in
            let copier = try fixture.copier(partBytes: 40_000)
            for turn in 0..<4 {
                try await fixture.add((20 * turn..<20 * turn + 20).map { "row-\($0)" })
                fixture.now += 10
                #expect(try await copier.turn() == .copied)
            }
            #expect(try await copier.turn() == .unchanged)
            #expect(try await fixture.points.map(\.isWhole) == [true, false, false, false])
            for turn in 0..<4 {
                let rows = Self.names(0..<20 * turn + 20)
                #expect(try await fixture.restored(at: 1_000_019 + 10 * Int64(turn)) == [rows, rows])
            }
            #expect(PointPlan.point(try await fixture.points, at: 1_000_009) == nil)
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a whole copy of a database under writes ends and is whole`() async throws {
        try await withFixture { fixture in
            try await fixture.add((0..<300).map { "before-\($0)" })
            let copier = try fixture.copier(partBytes: 100_000)
            let databases = fixture.open
            try await withThrowingTaskGroup(of: Void.self) { group in
                let isOver = Flag()
                for database in databases {
                    group.addTask {
                        var number = 0
                        while !isOver.isSet {
                            try await database.write { [number] in
                                try $0.run("INSERT INTO items VALUES ($1, hex(randomblob(500)))", "during-\(number)")
                            }
                            number += 1
                        }
                    }
                }
                for _ in 0..<3 {
                    var earlier: [Set<String>] = []
                    for database in databases {
                        earlier.append(
                            try await database.read { Set(try $0.rows("SELECT name FROM items").map { $0.text(0) }) })
                    }
                    try await copier.turn()
                    for (rows, earlier) in zip(try await fixture.restored(), earlier) {
                        #expect(rows.isSuperset(of: earlier))
                        // Writes come one after the other: no row may be missing in between.
                        let during = rows.count { $0.hasPrefix("during") }
                        #expect((0..<during).allSatisfy { rows.contains("during-\($0)") })
                    }
                }
                isOver.set()
                try await group.waitForAll()
            }
        }
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            ("parts/", false), ("parts/", true), ("points/", false), ("points/", true), ("latchkey-copy", true),
        ])
    func `after a failed upload the next turn has all rows, and a killed copier too`(
        prefix: String, isStored: Bool
    ) async throws {
        try await withFixture { fixture in
            var copier = try fixture.copier()
            try await fixture.add(["row-0"])
            if prefix == "latchkey-copy" { fixture.target.failNext(prefix, .unreachable, isStored: isStored) }
            for _ in 0..<2 { _ = await copier.failure() }
            for (number, isKilled) in [(1, false), (2, true), (3, false)] {
                try await fixture.add(["row-\(number)"])
                fixture.target.failNext(prefix, .unreachable, isStored: isStored)
                fixture.now += 10
                #expect(await copier.failure() == (prefix == "latchkey-copy" ? nil : .unreachable))
                if isKilled {
                    copier.close()
                    copier = try fixture.copier()
                }
                fixture.now += 10
                try await copier.turn()
                let rows = Self.names(0..<number + 1)
                #expect(try await fixture.restored() == [rows, rows])
            }
            // No failure here made the chain begin again.
            #expect(try await fixture.points.count(where: \.isWhole) == 1)
        }
    }

    @Test func `a copier that was killed within a whole copy makes a whole one`() async throws {
        try await withFixture { fixture in
            try await fixture.add((0..<200).map { "row-\($0)" })
            let first = try fixture.copier(partBytes: 50_000)
            fixture.target.failNext("parts/0000000001", .unreachable)
            await #expect(throws: CopyFailure.self) { try await first.turn() }
            first.close()
            let second = try fixture.copier(partBytes: 50_000)
            try await second.turn()
            #expect(try await fixture.points.map(\.isWhole) == [true])
            let rows = Self.names(0..<200)
            #expect(try await fixture.restored() == [rows, rows])
        }
    }

    @Test func `the end of all services is followed by a whole copy`() async throws {
        try await withFixture { fixture in
            try await fixture.add(["row-0"])
            let first = try fixture.copier()
            try await first.turn()
            first.close()
            try await fixture.add(["row-1"])
            fixture.stop()
            try fixture.start()
            try await fixture.add(["row-2"])
            let second = try fixture.copier()
            try await second.turn()
            #expect(try await fixture.points.map(\.isWhole) == [true, true])
            #expect(try await fixture.restored() == [Self.names(0..<3), Self.names(0..<3)])
        }
    }

    @Test func `a slow target gets smaller parts`() async throws {
        try await withFixture { fixture in
            try await fixture.add((0..<800).map { "row-\($0)" })
            let copier = try fixture.copier(partBytes: 600_000)
            fixture.target.failNext("parts/", .tooSlow)
            fixture.target.failNext("parts/", .tooSlow)
            for _ in 0..<2 { await #expect(throws: CopyFailure.self) { try await copier.turn() } }
            try await copier.turn()
            let sizes = fixture.target.storedSizes
            #expect(sizes[1] < 270_000 && sizes[2] > 400_000)
            #expect(try await fixture.restored().map(\.count) == [800, 800])
        }
    }

    @Test func `a part that takes long is followed by a smaller one`() async throws {
        try await withFixture { fixture in
            try await fixture.add((0..<800).map { "row-\($0)" })
            let copier = try fixture.copier(partBytes: 600_000)
            try await copier.checkTarget()
            fixture.target.delayNext(CopierSettings.partLimit + .milliseconds(100))
            try await copier.turn()
            // After the marker's.
            let sizes = fixture.target.storedSizes.dropFirst().prefix(2)
            #expect(sizes.map { $0 > 310_000 } == [true, false])
            #expect(try await fixture.restored().map(\.count) == [800, 800])
        }
    }

    @Test func `a target without its marker is not written to`() async throws {
        try await withFixture { fixture in
            try await fixture.add(["row-0"])
            let copier = try fixture.copier()
            try await copier.turn()
            // The folder looks like this when its disk is no longer mounted.
            try FileManager.default.moveItem(atPath: fixture.target.path, toPath: fixture.target.path + ".away")
            try FileManager.default.createDirectory(atPath: fixture.target.path, withIntermediateDirectories: false)
            fixture.now += 100
            await #expect(throws: CopyFailure.self) { try await copier.turn() }
            let failure = try #require(try CopierState.read(in: fixture.folder + "/data")?.failure)
            #expect(failure.reason == .missing)
            try await fixture.add(["row-1"])
            await #expect(throws: CopyFailure.self) { try await copier.turn() }
            #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.target.path) == [])
            try FileManager.default.removeItem(atPath: fixture.target.path)
            try FileManager.default.moveItem(atPath: fixture.target.path + ".away", toPath: fixture.target.path)
            try await copier.turn()
            #expect(try await fixture.restored() == [Self.names(0..<2), Self.names(0..<2)])
            #expect(try CopierState.read(in: fixture.folder + "/data")?.failure == nil)
        }
    }

    @Test func `a second copier is refused by the databases, and by the target unless it takes over`() async throws {
        try await withFixture { fixture in
            try await fixture.add(["row-0"])
            let first = try fixture.copier()
            try await first.turn()
            let other = fixture.folder + "/other"
            try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
            let second = try fixture.copier(in: "other")
            #expect(await second.failure() == .otherCopier)
            #expect(throws: CopyFailure.self) { try fixture.copier() }
            first.close()
            #expect(await second.failure() == .otherCopier)
            second.close()
            let third = try fixture.copier(takesOver: true, in: "other")
            try await third.turn()
            third.close()
            #expect(try await fixture.points.map(\.isWhole) == [true, true])
            // The first one finds that the target is not its own any more.
            let again = try fixture.copier()
            #expect(await again.failure() == .otherCopier)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `a running copier ends before it writes or deletes, once another one has taken its target over`(
        tookOver: Bool
    ) async throws {
        try await withFixture { fixture in
            try await fixture.add(["row-0"])
            let first = try fixture.copier(takesOver: tookOver, keepSeconds: 0)
            try await first.turn()
            try FileManager.default.createDirectory(
                atPath: fixture.folder + "/other/data", withIntermediateDirectories: true)
            let other = try CopyFixture(fixture.folder + "/other", target: fixture.target)
            defer { other.stop() }
            try await other.add(["other-0"])
            other.now += 100_000
            let second = try other.copier(takesOver: true)
            try await second.turn()
            let stored = try await fixture.target.list("")
            try await fixture.add(["row-1"])
            fixture.now += 200_000
            await #expect(throws: CopyFailure.self) { try await first.run() }
            #expect(try CopierState.read(in: fixture.folder + "/data")?.failure?.reason == .otherCopier)
            #expect(try await fixture.target.list("") == stored)
            try await other.add(["other-1"])
            other.now += 10
            try await second.turn()
            #expect(try await other.restored() == [["other-0", "other-1"], ["other-0", "other-1"]])
            second.close()
        }
    }
}
