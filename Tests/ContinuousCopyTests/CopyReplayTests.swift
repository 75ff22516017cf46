import CopyTargets
import Foundation
import Storage
import TestSupport
import Testing

@testable import ContinuousCopy
@testable import SQLiteStore

@Suite struct CopyReplayTests {
    @Test func `the newest point has the removed users and decisions, and those that a file was ordered to follow`()
        async throws
    {
        try await withFixture { fixture in
            let copier = try fixture.copier()
            try await fixture.add(["row-0"])
            try await copier.turn()
            let ids = (1...3).map { [UInt8](repeating: $0, count: 16) }
            try await fixture.open[1].write { transaction in
                try transaction.run("INSERT INTO removed_users (id) VALUES ($1)", ids[0])
                try transaction.run("INSERT INTO ordered_removals (id) VALUES ($1)", ids[1])
                let decision: SQL =
                    "INSERT INTO decisions (sequence, at, kind, subject, detail) VALUES ($1, 5, $2, $3, NULL)"
                try transaction.run(decision, 8, "deactivated", ids[2])
                let ordered: SQL =
                    "INSERT INTO ordered_decisions (sequence, kind, subject, detail) VALUES ($1, $2, $3, $4)"
                try transaction.run(ordered, 7, "role_lost", ids[2], "admin")
            }
            try await copier.turn()
            let replay = CopyReplay(target: fixture.target, seal: CopyFormatTests.seal, folder: fixture.folder)
            var later: [LaterRows] = []
            for (number, point) in try await fixture.points.enumerated() {
                let file = "\(fixture.folder)/\(number).sqlite"
                try await replay.rebuild("users.sqlite", from: try await replay.chain(to: point), at: file)
                later.append(try LaterRows.read(file: file))
            }
            #expect(later.first == LaterRows(removed: [], decisions: []))
            let decisions = [
                OrderedDecision(sequence: 7, kind: "role_lost", subject: ids[2], detail: "admin"),
                OrderedDecision(sequence: 8, kind: "deactivated", subject: ids[2], detail: nil),
            ]
            #expect(later.last == LaterRows(removed: [ids[0], ids[1]], decisions: decisions))
        }
    }

    @Test func `a clock that goes back is noted in the point`() async throws {
        try await withFixture { fixture in
            let copier = try fixture.copier()
            var doubts: [Bool] = []
            for step: Int64 in [0, -500, 100, 1_000] {
                fixture.now += step
                try await fixture.add(["row-\(fixture.now)"])
                try await copier.turn()
                let replay = CopyReplay(
                    target: fixture.target, seal: CopyFormatTests.seal, folder: fixture.folder)
                let newest = try #require(try await fixture.points.last)
                doubts.append(try await replay.chain(to: newest).isClockInDoubt)
            }
            #expect(doubts == [false, true, true, false])
        }
    }

    @Test(arguments: ["changed", "cut", "swapped", "old manifest", "missing"])
    func `a target that was tampered with restores nothing`(damage: String) async throws {
        try await withFixture { fixture in
            let copier = try fixture.copier()
            for number in 0..<3 {
                try await fixture.add(["row-\(number)"])
                try await copier.turn()
            }
            let parts = try await fixture.target.list("parts/").map { fixture.target.path + "/" + $0.name }
            let points = try await fixture.points.map { fixture.target.path + "/" + $0.text }
            let files = FileManager.default
            switch damage {
            case "missing": try files.removeItem(atPath: parts[0])
            case "swapped":
                try files.removeItem(atPath: parts[2])
                try files.copyItem(atPath: parts[0], toPath: parts[2])
            case "old manifest":
                try files.removeItem(atPath: points[1])
                try files.copyItem(atPath: points[0], toPath: points[1])
            default:
                var bytes = try Data(contentsOf: URL(filePath: parts[1]))
                if damage == "cut" { bytes.removeLast() } else { bytes[bytes.count / 2] ^= 1 }
                try bytes.write(to: URL(filePath: parts[1]))
            }
            await #expect(throws: CopyFailure.self) { try await fixture.restored() }
        }
    }
}
