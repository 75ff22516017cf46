import PostgreSQL
import SQLiteStore
import Testing

@testable import ControlCore

/// The tables and columns of a file all have a counterpart in the schema, so that a new one cannot be forgotten.
@Suite(.timeLimit(.minutes(5))) struct CopyPlanTests {
    @Test(arguments: MovedService.allCases)
    func `the newest file fits the newest schema`(_ service: MovedService) async throws {
        let home = try await MoveUnderTest.make(service, isFilled: false)
        let file = try ExclusiveFile.open(home.path, migrations: service.fileMigrations) { _, _ in }
        let (tables, schema) = (
            try file.tables(), try CopyTarget(home.schema, migrations: service.schema.migrations).columns()
        )
        try file.close()
        let plan = try CopyPlan(tables, schema, service.rules)
        #expect(plan.tables.count == schema.count - CopyRules.ownTables.count)
        // Each exception is needed.
        for (table, columns) in CopyRules.columnsWithoutCounterpart {
            #expect(columns.isSubset(of: tables[table]?.map(\.name) ?? []), "\(table)")
        }
        #expect(service.rules.doneTables.isSubset(of: tables.keys))

        for table in tables.keys where !CopyRules.ownTables.union(service.rules.doneTables).contains(table) {
            var more = tables
            more[table]?.append(.init(name: "new", isKey: false))
            expectMismatch("the file has a column \(table).new", more, schema, service.rules)
        }
        for table in plan.tables.map(\.name) {
            var more = schema
            more[table]?.append(.init("new", .text))
            expectMismatch("the schema has a column \(table).new", tables, more, service.rules)
        }
        expectMismatch("the file has a table new", tables.merging(["new": []]) { $1 }, schema, service.rules)
        expectMismatch("the schema has a table new", tables, schema.merging(["new": []]) { $1 }, service.rules)
    }

    private func expectMismatch(
        _ text: String, _ file: [String: [ExclusiveFile.Column]], _ schema: [String: [CopyTarget.Column]],
        _ rules: CopyRules
    ) {
        do throws(CopyPlan.Mismatch) {
            _ = try CopyPlan(file, schema, rules)
            Issue.record("\(text): no mismatch")
        } catch {
            #expect(error.description.hasPrefix(text), "\(error)")
        }
    }
}
