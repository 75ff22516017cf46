import FoundationEssentials
import InternalAPI
import SQLiteStore
import Storage
import Testing

@testable import UserCore
@testable import UserTables

/// The list of security decisions outside the database.
@Suite(.timeLimit(.minutes(5))) struct DecisionLogTests {
    private let fixture: UserFixture
    private let file: DecisionFile

    init() throws {
        fixture = try UserFixture()
        file = DecisionFile(folder: fixture.folder)
    }

    private func log(_ holder: String = "one") -> DecisionLog {
        DecisionLog(
            queries: fixture.store, leases: Leases(database: fixture.database), file: file,
            userIDPrefix: UserFixture.prefix, holder: holder, now: fixture.clock.unix, logger: fixture.logger)
    }

    private func lines() throws -> [SecurityDecision] {
        try String(contentsOfFile: file.path, encoding: .utf8).split(separator: "\n").map {
            try #require(SecurityDecision(line: String($0)))
        }
    }

    private func decide(_ count: Int = 1) async throws {
        for number in 0..<count { try await setActive(number % 2 == 1) }
    }

    private func setActive(_ isActive: Bool) async throws {
        let user = try #require(try await fixture.store.page(behind: nil, limit: 1).first?.user)
        var after = user
        after.isActive = isActive
        try await fixture.store.put([.update(after)], now: fixture.clock.seconds)
    }

    @Test func `each decision is a line, once, readable by its owner only`() async throws {
        let user = try await fixture.signedIn()
        #expect(await log().round() == 0)
        #expect(!FileManager.default.fileExists(atPath: file.path))
        try await decide(3)
        #expect(await log().round() == 3)
        #expect(await log().round() == 0)
        try await decide()
        #expect(await log().round() == 0)
        try await setActive(true)
        #expect(await log().round() == 1)
        let lines = try lines()
        #expect(lines.map(\.kind) == [.deactivated, .reactivated, .deactivated, .reactivated])
        #expect(lines.allSatisfy { $0.id == user.id.text(prefix: UserFixture.prefix) })
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a line that a crash cut off is written again, and a deleted list in full`() async throws {
        _ = try await fixture.signedIn()
        try await decide(5)
        #expect(await log().round() == 5)
        let whole = try String(contentsOfFile: file.path, encoding: .utf8)
        for cut in [1, 10, 40] {
            try String(whole.dropLast(cut)).write(toFile: file.path, atomically: true, encoding: .utf8)
            #expect(await log().round() == 1)
            #expect(try String(contentsOfFile: file.path, encoding: .utf8) == whole)
        }
        try FileManager.default.removeItem(atPath: file.path)
        #expect(await log().round() == 5)
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == whole)
    }

    @Test func `an invitation whose number is renamed has not ended, and one that it replaces had expired`()
        async throws
    {
        let numbers = ["+22507000001": "01", "+2250707000002": "02", "+22507000002": "03"]
        let now = fixture.clock.seconds
        for (number, id) in numbers {
            let end = number == "+2250707000002" ? now - 1 : now + 100
            try await fixture.execute(
                """
                INSERT INTO invitations (kind, value, id, role, expires_at)
                VALUES ('phone', '\(number)', x'\(String(repeating: id, count: 16))', 'admin', \(end))
                """)
        }
        let renumber = RenumberUsers(
            store: fixture.store, queries: fixture.store, userIDPrefix: UserFixture.prefix, now: fixture.clock.unix)
        let request = RenumberRequest(changes: [NumberChange(from: "+22507", to: "+2250707")], isDryRun: false)
        let page = try await renumber(request, requestID: nil)
        #expect(page.numbers.map(\.result) == [.renamed, .renamed])
        #expect(await log().round() == 0)
        let open = try await fixture.texts("SELECT value || hex(id) || role FROM invitations ORDER BY value")
        #expect(
            open
                == ["01", "03"].enumerated().map { index, id in
                    "+225070700000\(index + 1)\(String(repeating: id, count: 16))admin"
                })
    }

    @Test func `one replica writes while it has the lease`() async throws {
        _ = try await fixture.signedIn()
        try await decide()
        #expect(await log("one").round() == 1)
        try await decide(2)
        #expect(await log("two").round() == 0)
        #expect(try lines().count == 1)
        fixture.clock.advance(seconds: 10)
        #expect(await log("two").round() == 1)
        #expect(try lines().count == 2)
    }

    @Test func `a file that is something else is left alone`() async throws {
        _ = try await fixture.signedIn()
        try await decide()
        try "not a list\n".write(toFile: file.path, atomically: true, encoding: .utf8)
        #expect(await log().round() == 0)
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "not a list\n")
    }
}
