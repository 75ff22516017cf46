import CopyTargets
import Foundation
import TestSupport
import Testing

@testable import ContinuousCopy

@Suite struct CopyReplayTests {
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
