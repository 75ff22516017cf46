import Foundation
import Testing

/// Walls that the compiler does not hold by itself.
@Suite struct HouseTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// Every target that has folders of its own, as a path.
    private static let parts: [String] = {
        let services = folders("Services").flatMap { service in folders(service) }
        return (services + folders("Shared")).filter { !folders($0).isEmpty }
    }()

    private static func folders(_ path: String) -> [String] {
        let url = URL(filePath: "\(root)/\(path)")
        let entries = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        return (entries ?? []).filter(\.hasDirectoryPath).map { "\(path)/\($0.lastPathComponent)" }.sorted()
    }

    @Test(arguments: parts)
    func `no folders use each other in a circle`(_ part: String) throws {
        #expect(try SourceFolder(path: "\(Self.root)/\(part)").circles.isEmpty)
    }

    /// The parts of a database's way from a use case to its library (`deploy/docs/decisions/storage-ports.md`).
    ///
    /// A process on SQLite maps no libpq. Besides the stores only latchkeyctl knows both layers, since it copies one into the other.
    @Test(arguments: [
        ("GRDB", ["Shared/SQLiteStore"]), ("GRDBSQLite", ["Shared/SQLiteStore"]),
        ("CPostgreSQL", ["Shared/PostgreSQL"]),
        (
            "SQLiteStore",
            ["Services/Control/Core", "Services/Token/Store", "Services/User/Store", "Shared/ContinuousCopy"]
        ),
        ("PostgreSQL", ["Services/Control/Core", "Services/Token/Store", "Services/User/Store"]),
    ])
    func `a database's library is known to one layer, and the layer to the stores`(
        module: String, importers: [String]
    ) throws {
        let parts = Self.folders("Shared") + Self.folders("Services").flatMap { Self.folders($0) }
        let found = try parts.filter { try SourceFolder(path: "\(Self.root)/\($0)").imports.contains(module) }
        #expect(Set(found) == Set(importers))
    }

    @Test func `only stores contain SQL`() throws {
        let parts = Self.folders("Services").flatMap { Self.folders($0) }
        let found = try parts.filter { try SourceFolder(path: "\(Self.root)/\($0)").containsSQL }
        #expect(found == ["Services/Token/Store", "Services/User/Store"])
    }

    /// Everything that is the same for both databases is in `Shared/Storage`, once.
    @Test func `the layers of the two databases declare nothing twice`() throws {
        let (one, other, ports) = (
            try SourceFolder(path: "\(Self.root)/Shared/SQLiteStore").declarations,
            try SourceFolder(path: "\(Self.root)/Shared/PostgreSQL").declarations,
            try SourceFolder(path: "\(Self.root)/Shared/Storage").requirements
        )
        #expect(one.constants.count > 20 && one.functions.count > 50 && ports.contains("confirm()"))
        #expect(one.constants.intersection(other.constants).isEmpty)
        // The only requirement of a port that another package declares.
        let required = ports.union(["run()"])
        #expect(one.functions.intersection(other.functions).subtracting(required).isEmpty)
    }

    @Test func `constants and functions are found, however they are written`() {
        let file = SourceFolder.File(
            folder: ".",
            text: """
                package let top = 1
                enum Limits {
                    private static let most: Int = 7, least = 8
                }
                package protocol Port {
                    func take(_ lease: Lease, now: Int64) async throws -> Bool
                }
                extension Limits {
                    @discardableResult
                    static func read<Value>(
                        _ body: @escaping (any Reader) throws -> [String: Value], at place: Int = 3
                    ) -> Value { let local = 1 }
                }
                """)
        let folder = SourceFolder(files: [file])
        #expect(folder.declarations.constants == ["top", "most"])
        #expect(
            folder.declarations.functions == [
                "take(_:Lease,now:Int64)", "read(_:@escaping(anyReader)throws->[String:Value],at:Int)",
            ])
        #expect(folder.requirements == ["take(_:Lease,now:Int64)"])
    }

    @Test(arguments: [
        (#"let sql = "SELECT a FROM b""#, true), ("let sql: SQL = \"\"\"\n    DELETE FROM a\n    \"\"\"", true),
        (#"let sql = "UPDATE users SET a = 1""#, true), (#"let text = "select a country, or update users""#, false),
        ("// SELECT a FROM b", false),
    ])
    func `SQL is found in texts only`(text: String, isFound: Bool) {
        #expect(SourceFolder(files: [SourceFolder.File(folder: ".", raw: text)]).containsSQL == isFound)
    }

    /// Gateway and supervisor need neither a router nor a second HTTP server.
    @Test(arguments: [
        "Services/Gateway/Core", "Services/Gateway/EdgeHTTP", "Services/Supervisor/Core", "Shared/ServiceKit",
        "Shared/ServiceCalls",
    ])
    func `only who serves others inside links their server`(_ part: String) throws {
        let imports = try SourceFolder(path: "\(Self.root)/\(part)").imports
        #expect(!imports.isEmpty && imports.isDisjoint(with: ["Hummingbird", "ServiceHTTP"]))
    }

    @Test func `a circle is found, and only where there is one`() {
        let (a, b, c) = (
            "struct Apple {\n    let pear: Pear\n}", "struct Pear {\n    let plum: Plum\n}", "struct Plum {}"
        )
        let files = [
            SourceFolder.File(folder: "A", text: a), SourceFolder.File(folder: "B", text: b),
            SourceFolder.File(folder: "C", text: c),
        ]
        #expect(SourceFolder(files: files).circles.isEmpty)
        let back = SourceFolder.File(folder: "C", text: "func eat(_ apple: Apple) {}")
        #expect(SourceFolder(files: files + [back]).circles == [["A", "B", "C"]])
    }

    @Test func `an import is found, however it is written`() {
        let file = SourceFolder.File(
            folder: ".", text: "internal import GRDB\n@testable import TokenCore\nimport Logging\n")
        #expect(SourceFolder(files: [file]).imports == ["GRDB", "TokenCore", "Logging"])
    }
}
