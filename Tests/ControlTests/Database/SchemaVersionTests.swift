import Foundation
import PostgreSQL
import SQLiteStore
import Storage
import Testing
import TokenTables
import UserTables

/// The first steps of the four schemas. Until the first release they are edited in place; then their texts are frozen. A table that
/// several services have is a step of the module that reads it.
@Suite struct SchemaVersionTests {
    private static let root = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
    private static let frozen = root + "/Tests/Vectors/schema-versions.txt"

    private static let names = [
        "tokens.sqlite": TokenDatabase.fileSteps.map(\.name), "users.sqlite": UserDatabase.fileSteps.map(\.name),
        "latchkey_token": TokenDatabase.schemaSteps.map(\.name), "latchkey_user": UserDatabase.schemaSteps.map(\.name),
    ]

    /// The steps of modules that several services share.
    private static let shared: Set = ["user events"]

    /// Until then the list of changes says "Not released" of its only version.
    private static var isReleased: Bool {
        get throws {
            let changes = try String(contentsOfFile: root + "/deploy/docs/changes.md", encoding: .utf8)
            let versions = changes.components(separatedBy: "\n## ").dropFirst()
            return versions.count > 1 || versions.first?.contains("\nNot released.") == false
        }
    }

    @Test func `the text of each first step is part of its name, and no two schemas have one name`() {
        let first = Self.names.values.compactMap(\.first)
        #expect(Set(first).count == 4)
        for name in first { #expect(name.wholeMatch(of: /version 1, [0-9a-f]{16}/) != nil, "\(name)") }
        #expect(FirstStep.name(of: "CREATE TABLE a") != FirstStep.name(of: "CREATE TABLE a "))
        // A comment that is worded anew must not refuse the files of others.
        let steps = ["-- One.\nCREATE TABLE a (id);\n", "CREATE TABLE a (id);\n-- Two: it's; $1\n"].map(Migration.first)
        #expect(steps[0].name == steps[1].name && !steps[1].sql.contains("Two"))
    }

    @Test func `from the first release on, steps are only added`() throws {
        let text = Self.names.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.first ?? "")\n" }.joined()
        guard try Self.isReleased else {
            let others = Self.names.values.flatMap { $0.dropFirst() }
            #expect(Set(others).isSubset(of: Self.shared), "edit the first step instead")
            #expect(!FileManager.default.fileExists(atPath: Self.frozen), "nothing is frozen before the first release")
            return
        }
        let known = FileManager.default.contents(atPath: Self.frozen)
        #expect(
            known == Data(text.utf8),
            "a released schema changes by another step. Of the release itself, write this to \(Self.frozen)")
    }
}
