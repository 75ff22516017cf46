import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The contract of every engine for the operator who renames numbers.
@Suite struct NumberStoreContract {
    private func renumber(_ storage: StorageReplica) -> RenumberUsers {
        RenumberUsers(store: storage.users, queries: storage.queries, userIDPrefix: "usr_", now: { 2_000 })
    }

    private func run(
        _ storage: StorageReplica, _ changes: [NumberChange]?, isDryRun: Bool = false
    ) async throws -> [RenumberedNumber] {
        let request = RenumberRequest(changes: changes, isDryRun: isDryRun)
        let page = try await renumber(storage)(request, requestID: "r")
        #expect(page.next == nil)
        return page.numbers
    }

    @Test(arguments: DatabaseKind.allCases)
    func `users keep their accounts, collisions are named, and a second run renames nothing`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let first = try await storage.user("+22507000001")
        let second = try await storage.user("+22507000002")
        let holder = try await storage.user("+2250707000002")
        _ = try await storage.user("+22505000003")
        let changes = [NumberChange(from: "+22507", to: "+2250707")]
        let expected = [
            RenumberedNumber(
                from: "+22507000001", to: "+2250707000001", userID: first.id.text(prefix: "usr_"), result: .renamed),
            RenumberedNumber(
                from: "+22507000002", to: "+2250707000002", userID: second.id.text(prefix: "usr_"), result: .taken,
                holderID: holder.id.text(prefix: "usr_")),
        ]
        #expect(try await run(storage, changes, isDryRun: true) == expected)
        #expect(try await storage.queries.user(first.id)?.phone == "+22507000001")
        #expect(try await run(storage, changes) == expected)
        #expect(try await storage.queries.user(first.id)?.phone == "+2250707000001")
        #expect(try await storage.queries.user(second.id)?.phone == "+22507000002")
        #expect(try await run(storage, changes) == Array(expected.dropFirst()))
        let again = try await storage.signIn("+2250707000001").user
        #expect(again.id == first.id)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `two numbers that would become one collide in a dry run as they do in earnest`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        for phone in ["+541140206271", "+5401140206271"] { _ = try await storage.user(phone) }
        let dry = try await run(storage, nil, isDryRun: true)
        #expect(dry.map(\.result) == [.renamed, .taken])
        #expect(try await run(storage, nil) == dry)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a page ends where the next one begins`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let numbers = (0..<5).map { "+2250700000\($0)" }
        for number in numbers { _ = try await storage.user(number) }
        var (seen, last): ([String], String?) = ([], nil)
        repeat {
            let page = try await storage.queries.numbers(prefix: "+225", after: last, limit: 2, now: 2_000)
            seen += page.map(\.number)
            last = page.last?.number
        } while last != nil && seen.count < 9
        #expect(seen == numbers)
        #expect(try await storage.queries.numbers(prefix: "+226", after: nil, limit: 2, now: 2_000).isEmpty)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a number that is the prefix itself is listed, and once`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let number = "+22507000001"
        _ = try await storage.user(number)
        let numbers = storage.queries
        #expect(try await numbers.numbers(prefix: number, after: nil, limit: 9, now: 2_000).map(\.number) == [number])
        #expect(try await numbers.numbers(prefix: number, after: number, limit: 9, now: 2_000).isEmpty)
        let changes = [NumberChange(from: number, to: "+2250707000001")]
        #expect(try await run(storage, changes).map(\.result) == [.renamed])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a number that cannot exist is named and stays`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        _ = try await storage.user("+22507000001")
        let rows = try await run(storage, [NumberChange(from: "+22507", to: "+225070700")])
        #expect(rows.map(\.result) == [.impossible])
    }

    @Test(arguments: [
        [NumberChange(from: "22507", to: "+2250707")], [NumberChange(from: "+22507", to: "+22507")],
        [NumberChange(from: "+22507", to: "+225 0707")], [NumberChange(from: "+", to: "+1")], [],
        [NumberChange(from: "+22507", to: "+2250707"), NumberChange(from: "+22507", to: "+2250705")],
    ])
    func `a change that is not from one prefix to another is refused`(_ changes: [NumberChange]) {
        #expect(throws: InvalidInput.numberChange) { try Renumbering(changes) }
    }

    /// Ivory Coast's plan of 2021: the prefixes of the old numbers and the new ones overlap.
    @Test func `the longest prefix counts, and a new number is left alone`() throws {
        let rule = try Renumbering([
            NumberChange(from: "+22507", to: "+2250707"), NumberChange(from: "+22547", to: "+2250747"),
            NumberChange(from: "+2250", to: "+22501"),
        ])
        #expect(rule.target(of: "+22507123456") == .number("+2250707123456"))
        #expect(rule.target(of: "+22547123456") == .number("+2250747123456"))
        #expect(rule.target(of: "+22502123456") == .impossible("+225012123456"))
        #expect(rule.target(of: "+2250747123456") == .none && rule.target(of: "+2250707123456") == .none)
        #expect(rule.target(of: "+22605123456") == .none && rule.prefix == "+225")
    }
}
