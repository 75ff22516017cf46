import FoundationEssentials
import TestSupport
import Testing

/// `deploy/docs/reference/compatibility.md` against the lists of statements, and against what there is.
@Suite struct CompatibilityPageTests {
    private static let statements = Document.all.flatMap(\.statements)

    /// The rows of the tables, each as its cells.
    private static func rows() throws -> [[String]] {
        let page = try String(
            contentsOfFile: LatchkeyStack.root + "deploy/docs/reference/compatibility.md", encoding: .utf8)
        return try page.split(separator: "\n").filter { try #/^\| [A-Z][0-9]/#.firstMatch(in: $0) != nil }.map { line in
            line.dropFirst(2).components(separatedBy: " | ")
        }
    }

    @Test func `the page has a row for each statement, in their order`() throws {
        #expect(try Self.rows().map { $0.first ?? "" } == Self.statements.map(\.id))
    }

    @Test func `a row names a test if its statement is one that a run shows, and only then`() throws {
        for (row, statement) in zip(try Self.rows(), Self.statements) {
            try #require(row.count == 5, "\(row)")
            let isShown =
                switch statement.keeper {
                case .shown, .shownInLongForm, .suite: true
                case .client, .later, .nobody: false
                }
            #expect((row[3] != "–") == isShown, "\(row)")
        }
    }

    @Test func `the tests, files and folders that the page names are there, and each test mentions its row`() throws {
        let root = LatchkeyStack.root
        let tests = try FileManager.default.subpathsOfDirectory(atPath: root + "Tests")
        for row in try Self.rows() {
            for name in row[3].matches(
                of: try Regex("`([A-Za-z/]+(Tests|Life))`", as: (Substring, Substring, Substring).self))
            {
                let files = tests.filter { "/\($0)".hasSuffix("/\(name.output.1).swift") }
                #expect(!files.isEmpty, "\(row)")
                // A test that does not mention the row would show something else.
                let id = try Regex("\\b\(row[0])\\b")
                let mentions = try files.contains {
                    try String(contentsOfFile: root + "Tests/" + $0, encoding: .utf8).contains(id)
                }
                #expect(mentions, "\(name.output.1) does not mention \(row[0])")
            }
            for name in row[2].matches(
                of: try Regex("`((Services|Shared|Tests)/[^`]*)`", as: (Substring, Substring, Substring).self))
            {
                let path = root + name.output.1
                let isThere = ["", ".swift", ".ts", ".tsx", ".sh", ".kt"].contains {
                    FileManager.default.fileExists(atPath: path + $0)
                }
                #expect(isThere, "\(path)")
            }
        }
    }
}
