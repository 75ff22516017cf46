import CopyTargets
import Foundation
import SQLiteStore
import Storage
import TestSupport
import Testing

@testable import ContinuousCopy

/// Whole copies that are stored in slices while points go on, and the deletion of what they replace.
@Suite(.timeLimit(.minutes(5))) struct WholeCopyTests {
    private static let day: Int64 = 86_400

    /// Runs `body` with a copier that has copied rows, a day after that.
    private func withCopyOfADay(
        keepSeconds: Int64 = 604_800, _ body: (CopyFixture, Copier, Set<String>) async throws -> Void
    ) async throws {
        try await withFixture { fixture in
            let names = (0..<200).map { "row-\($0)" }
            try await fixture.add(names)
            let copier = try fixture.copier(partBytes: 40_000, keepSeconds: keepSeconds)
            try await copier.turn()
            fixture.now += Self.day
            try await body(fixture, copier, Set(names))
        }
    }

    @Test func `points go on while a whole copy is stored, and each of them can be restored`() async throws {
        try await withCopyOfADay { fixture, copier, names in
            let added = try await fixture.copy(with: copier, "later") { $0.isWhole && $0.sequence > 1 }
            let points = try await fixture.points
            #expect(points.count == added.count + 1 && points.count > 8)
            #expect(points.dropFirst().dropLast().allSatisfy { !$0.isWhole })
            for (number, point) in points.enumerated() {
                let rows = names.union(added.prefix(number))
                #expect(try await fixture.restored(at: point.time) == [rows, rows])
            }
            // The new copy needs nothing of the first one, and a later point needs the new one alone.
            let whole = try #require(points.last?.wholeFrom)
            #expect(whole == 2)
            for point in points.dropLast() {
                try FileManager.default.removeItem(atPath: fixture.target.path + "/" + point.text)
            }
            for part in try await fixture.target.list("parts/") where CopyName.sequence(ofPart: part.name) == 1 {
                try FileManager.default.removeItem(atPath: fixture.target.path + "/" + part.name)
            }
            var rows = names.union(added)
            #expect(try await fixture.restored() == [rows, rows])
            rows.insert("last")
            try await fixture.add(["last"])
            try await copier.turn()
            #expect(try await fixture.points.last?.isWhole == false)
            #expect(try await fixture.restored() == [rows, rows])
        }
    }

    @Test func `a database that grows and changes while a whole copy is stored is restored as it was`() async throws {
        try await withCopyOfADay { fixture, copier, names in
            var rows = names
            var number = 0
            while try await fixture.points.count(where: \.isWhole) < 2 {
                try #require(number < 1_000)
                try await fixture.add(["more-\(number)"], bytes: 20_000)
                for database in fixture.open {
                    try await database.write { [number] in
                        try $0.run("DELETE FROM items WHERE name = $1", "row-\(number)")
                        try $0.run("UPDATE items SET text = $1 WHERE name < $2", "changed \(number)", "row-11")
                    }
                }
                rows.insert("more-\(number)")
                rows.remove("row-\(number)")
                number += 1
                fixture.now += 10
                try await copier.turn()
                #expect(try await fixture.restored() == [rows, rows])
            }
        }
    }

    @Test func `a copier that was killed within a later whole copy continues the points`() async throws {
        try await withCopyOfADay { fixture, copier, names in
            try await fixture.add(["a"])
            try await copier.turn()
            copier.close()
            let next = try fixture.copier(partBytes: 40_000)
            try await fixture.add(["b"])
            fixture.now += 10
            try await next.turn()
            #expect(try await fixture.points.map(\.isWhole) == [true, false, false])
            let rows = names.union(["a", "b"])
            #expect(try await fixture.restored() == [rows, rows])
            let added = try await fixture.copy(with: next, "later") { $0.isWhole && $0.sequence > 1 }
            #expect(try await fixture.restored() == [rows.union(added), rows.union(added)])
        }
    }

    @Test(arguments: ["-w0", "points/"], [false, true])
    func `a failure within a later whole copy loses no point, and the copy becomes whole`(
        file: String, isStored: Bool
    ) async throws {
        try await withCopyOfADay { fixture, copier, names in
            var rows = names
            for number in 0..<4 {
                try await fixture.add(["row-\(1_000 + number)"])
                rows.insert("row-\(1_000 + number)")
                fixture.now += 10
                fixture.target.failNext(file, .unreachable, isStored: isStored)
                #expect(await copier.failure() == .unreachable)
                // A slice that fails comes after the point of its turn.
                if file == "-w0" { #expect(try await fixture.restored() == [rows, rows]) }
            }
            let added = try await fixture.copy(with: copier, "later") { $0.isWhole && $0.sequence > 1 }
            #expect(try await fixture.restored() == [rows.union(added), rows.union(added)])
            #expect(try await fixture.points.count(where: \.isWhole) == 2)
        }
    }

    @Test func `pruning keeps the parts of a point that failed before a whole copy began`() async throws {
        try await withCopyOfADay(keepSeconds: 3_600) { fixture, copier, names in
            fixture.now -= 1
            try await fixture.add(["failed"])
            fixture.target.failNext("points/", .unreachable)
            #expect(await copier.failure() == .unreachable)
            fixture.now += 1
            let added = try await fixture.copy(with: copier, "later") { $0.isWhole && $0.sequence > 1 }
            for _ in 1...10 {
                fixture.now += 800
                try await copier.turn()
            }
            let whole = try #require(try await fixture.points.first)
            #expect(whole.isWhole && whole.sequence > 1)
            let rows = names.union(added + ["failed"])
            #expect(try await fixture.restored(at: whole.time) == [rows, rows])
            #expect(try await fixture.restored() == [rows, rows])
        }
    }

    @Test func `a point is made every five minutes, also without a change`() async throws {
        try await withCopyOfADay { fixture, copier, names in
            fixture.now -= Self.day
            var turns: [Copier.Turn] = []
            for seconds: Int64 in [299, 1, 0] {
                fixture.now += seconds
                turns.append(try await copier.turn())
            }
            #expect(turns == [.unchanged, .copied, .unchanged])
            #expect(try await fixture.points.count == 2)
            #expect(try await fixture.restored() == [names, names])
        }
    }

    @Test(arguments: [30 * day, 40_000_000_000, -600])
    func `a clock that was set and corrected deletes nothing, and points go on`(step: Int64) async throws {
        try await withCopyOfADay(keepSeconds: 3_600) { fixture, copier, names in
            fixture.now += step - Self.day
            var added = try await fixture.copy(with: copier, "wrong") { $0.isWhole && $0.sequence > 1 }
            let before = try await fixture.points
            #expect(before.count == added.count + 1)
            fixture.now -= step
            added += try await fixture.copy(with: copier, "right") { $0.sequence > before.count + 2 }
            #expect(try await Array(fixture.points.prefix(before.count)) == before)
            #expect(try await fixture.restored() == [names.union(added), names.union(added)])
        }
    }

    @Test func `old copies are deleted with their parts once a later one serves all moments to keep`() async throws {
        try await withCopyOfADay(keepSeconds: 3_600) { fixture, copier, names in
            let added = try await fixture.copy(with: copier, "later") { $0.isWhole && $0.sequence > 1 }
            let whole = try #require(try await fixture.points.last)
            // The day without a point may have been a clock that was set.
            #expect(try await fixture.points.first?.sequence == 1)
            // It looks for old copies once an hour.
            for step in 1...10 {
                fixture.now += 800
                try await copier.turn()
                if step == 4 { #expect(try await fixture.points.first?.sequence == 1) }
            }
            // Meanwhile it listed the parts once, since a listing of many takes long.
            #expect(fixture.target.listedPrefixes.count { $0 == "parts/" } == 1)
            #expect(try await fixture.points.first?.sequence == whole.sequence)
            let parts = try await fixture.target.list("parts/").compactMap { CopyName.sequence(ofPart: $0.name) }
            #expect(parts.min() == whole.wholeFrom)
            let rows = names.union(added)
            #expect(try await fixture.restored(at: whole.time) == [rows, rows])
            #expect(try await fixture.restored() == [rows, rows])
        }
    }
}
