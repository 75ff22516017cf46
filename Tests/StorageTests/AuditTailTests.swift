import TestSupport
import Testing

@testable import Storage

/// The records of all chains in their order, for another system that keeps them.
@Suite(.timeLimit(.minutes(5))) struct AuditTailTests {
    private struct Seen: Sendable, Hashable {
        let slot: Int64
        let number: Int64
        let event: String
    }

    private func read(
        _ database: any StorageDatabase, after places: [Int64: Int64], limit: Int
    ) async throws -> [Seen] {
        try await database.read { reader in
            try AuditTail(after: places, limit: limit).records(["event"], in: reader) {
                Seen(slot: $0, number: $1.integer(0), event: $1.text(1))
            }
        }
    }

    /// Reads on from `places` until there are no more records.
    private func readOn(
        _ database: any StorageDatabase, _ places: inout [Int64: Int64], limit: Int
    ) async throws -> [Seen] {
        var found: [Seen] = []
        while true {
            let part = try await read(database, after: places, limit: limit)
            #expect(part.count <= limit)
            for record in part { places[record.slot] = record.number }
            found += part
            if part.count < limit { return found }
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `records that are written while somebody reads are all read, each once`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        for limit in [1, 3, 200] {
            var (places, found) = ([Int64: Int64](), [Seen]())
            async let written: [Void] = concurrently(6) { writer in
                for number in 0..<10 {
                    try await test.database.write {
                        try AuditTests.append(at: 5, "\(limit) \(writer) \(number)", in: $0)
                    }
                }
            }
            for _ in 0..<5 { found += try await readOn(test.database, &places, limit: limit) }
            _ = try await written
            found += try await readOn(test.database, &places, limit: limit)
            let own = found.map(\.event).filter { $0.hasPrefix("\(limit) ") }
            #expect(own.count == 60 && Set(own).count == 60)
            #expect(Set(found).count == found.count)
            for slot in Set(found.map(\.slot)) {
                let numbers = found.filter { $0.slot == slot }.map(\.number)
                #expect(numbers == Array(1...Int64(numbers.count)), "slot \(slot)")
            }
            #expect(try await readOn(test.database, &places, limit: limit).isEmpty)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a chain that was restored to fewer records is read again`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        for _ in 0..<3 { try await test.database.write { try AuditTests.append(at: 5, "e", in: $0) } }
        let all = try await read(test.database, after: [:], limit: 50)
        #expect(all.count == 3)
        let beyond = Dictionary(all.map { ($0.slot, Int64.max) }, uniquingKeysWith: max)
        #expect(try await read(test.database, after: beyond, limit: 50) == all)
        // A chain that does not exist any more is none.
        #expect(try await read(test.database, after: [9_999: 1], limit: 50) == all)
    }

    @Test func `a page reads a range of the key, and no more`() async throws {
        let test = try await DatabaseUnderTest(.sqlite)
        let plan = try await test.database.read { try QueryPlan.of(AuditTail.selection(["event"]), in: $0) }
        #expect(plan == "SEARCH audit USING INTEGER PRIMARY KEY (rowid>?)")
    }
}
