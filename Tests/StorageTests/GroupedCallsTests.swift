import Synchronization
import TestSupport
import Testing

@testable import Storage

/// Calls that run in groups.
@Suite(.timeLimit(.minutes(5))) struct GroupedCallsTests {
    @Test func `calls that arrive during a group are the next one, each key once`() async throws {
        let groups = Mutex<[[Int]]>([])
        let gate = Flag()
        let calls = GroupedCalls<Int, Int> { items in
            groups.withLock { $0.append(items) }
            while !gate.isSet { try await Task.sleep(for: .milliseconds(1)) }
            return items.map { $0 * 10 }
        }
        let results = try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await calls.run(0, key: 0) }
            try await eventually("the first group runs") { groups.withLock { $0.count == 1 } }
            for item in [1, 2, 3, 13] { group.addTask { try await calls.run(item, key: Int64(item % 10)) } }
            try await eventually("the others wait") { calls.waitingCount == 4 }
            gate.set()
            return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
        #expect(results == [0, 10, 20, 30, 130])
        #expect(groups.withLock { $0.map(\.count) } == [1, 3, 1])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a group that fails runs item by item, so that its neighbours succeed`(kind: DatabaseKind) async throws {
        let test = try await DatabaseUnderTest(kind)
        let database = test.database
        try await database.add(100, "taken")
        let calls = GroupedCalls<String, Bool> { names in
            try await database.write { transaction in
                for name in names { try transaction.run("INSERT INTO items (id, name) VALUES (length($1), $1)", name) }
                return names.map { _ in true }
            }
        }
        let names = (1...20).map { String(repeating: "x", count: $0) } + ["taken"]
        let failed = try await concurrently(names.count) { number -> String? in
            do { return try await calls.run(names[number], key: Int64(number)) ? nil : "" } catch {
                return names[number]
            }
        }
        #expect(failed.compactMap(\.self) == ["taken"])
        #expect(try await database.names().count == 21)
    }

    @Test func `a group whose outcome is unknown is not run again`() async throws {
        let count = Mutex(0)
        let calls = GroupedCalls<Int, Int> { items in
            count.withLock { $0 += 1 }
            throw StorageError(.unknown, "cut")
        }
        await withTaskGroup { group in
            for item in 0..<5 {
                group.addTask {
                    await #expect(throws: StorageError(.unknown, "cut")) { try await calls.run(item, key: Int64(item)) }
                }
            }
        }
        #expect(count.withLock { $0 } <= 5)
    }
}
