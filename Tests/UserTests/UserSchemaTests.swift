import GRDB
import Storage
import TestSupport
import Testing

@testable import SQLiteStore
@testable import UserTables

@Suite struct UserSchemaTests {
    @Test func `an index leads to a user's phone, in order`() async throws {
        let fixture = try UserFixture()
        let plan = try await fixture.database.read { try QueryPlan.of(UserRows.byID, in: $0) }
        #expect(plan.contains("identities_by_user (user_id=? AND kind=?)") && !plan.contains("TEMP"), "\(plan)")
    }

    @Test func `a page of users is a walk along their ids, wherever it begins`() async throws {
        let fixture = try UserFixture()
        for (sql, walk) in [
            (Users.newestUsers, "SCAN u"), (Users.olderUsers, "SEARCH u USING PRIMARY KEY (id<?)"),
        ] {
            let plan = try await fixture.database.read { try QueryPlan.of(sql, in: $0) }
            #expect(plan.hasPrefix(walk) && !plan.contains("ORDER BY"), "\(plan)")
        }
    }

    @Test func `a page of quiet users reads a range of ids, and of each the own rows`() async throws {
        let fixture = try UserFixture()
        for sql in [Users.quietEnd, Users.quiet] {
            let plan = try await fixture.database.read { try QueryPlan.of(sql, in: $0) }
            #expect(plan.contains("PRIMARY KEY (id>?"), "\(plan)")
            #expect(!plan.contains("SCAN") && !plan.contains("ORDER BY"), "\(plan)")
        }
    }

    @Test func `a page of values has one lower bound, from which SQLite searches`() {
        for sql in [Users.identified, Users.numbers] {
            for part in sql.sqlite.split(separator: "UNION ALL") {
                #expect(part.split(separator: "value >").count == 2, "\(part)")
            }
        }
    }

    @Test func `administrators and identities are found by an index`() async throws {
        let fixture = try UserFixture()
        for (sql, search) in [
            (FactStatements.administrators, "users_by_role"),
            (Users.identified, "PRIMARY KEY (kind=? AND value>? AND value<?)"),
            (Users.changedUsers, "PRIMARY KEY (id>? AND id<?)"),
        ] {
            let plan = try await fixture.database.read { try QueryPlan.of(sql, in: $0) }
            #expect(plan.contains(search) && !plan.contains("ORDER BY"), "\(plan)")
        }
    }
}
