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

    /// Stores are behind ports: only an engine knows the database (`deploy/docs/decisions/storage-ports.md`).
    @Test func `only engines import a database's library`() throws {
        let cores = Self.folders("Services").flatMap { Self.folders($0) }.filter { $0.hasSuffix("/Core") }
        #expect(cores.count > 5)
        for core in cores {
            #expect(!(try SourceFolder(path: "\(Self.root)/\(core)").imports.contains("GRDB")), "\(core)")
        }
        for core in ["Services/Token/Core", "Services/User/Core"] {
            #expect(!(try SourceFolder(path: "\(Self.root)/\(core)").imports.contains("SQLiteStore")), "\(core)")
        }
        #expect(try SourceFolder(path: "\(Self.root)/Services/Token/SQLite").imports.contains("GRDB"))
    }

    /// A process on SQLite maps no libpq, so only the layer over it knows its functions, and only engines know the layer.
    @Test func `only the engines of PostgreSQL import its library`() throws {
        let parts = Self.folders("Shared") + Self.folders("Services").flatMap { Self.folders($0) }
        func importers(of module: String) throws -> Set<String> {
            Set(try parts.filter { try SourceFolder(path: "\(Self.root)/\($0)").imports.contains(module) })
        }
        #expect(try importers(of: "CPostgreSQL") == ["Shared/PostgreSQL"])
        let engines: Set = ["Services/Token/Postgres", "Services/User/Postgres", "Services/Control/Core"]
        let found = try importers(of: "PostgreSQL")
        #expect(!found.isEmpty && found.isSubset(of: engines))
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
