import FoundationEssentials
import TestSupport
import Testing

/// `Tests/Compat/statements.md`, the listing of the documents' statements, and the tests that it names.
@Suite struct StatementListingTests {
    private static let statements = Document.all.flatMap(\.statements)

    @Test func `each document has all of its rows, once`() {
        let rows = [("H", 77), ("A", 53), ("V", 41), ("G", 27), ("T", 66)].flatMap { letter, count in
            (1...count).map { "\(letter)\($0)" }
        }
        #expect(Self.statements.map(\.id) == rows)
    }

    @Test func `who sees to a statement is read from its row`() throws {
        let rows: [(Substring, Statement.Keeper?)] = [
            ("| H1 | a, `b` | the document's suite |", .shown),
            ("| V9 | a | `deploy/compat voltyks`, which waits for it |", .shownInLongForm),
            ("| G1 | a | `OTPTests/TryTests.swift` |", .suite("OTPTests/TryTests.swift")),
            ("| T5 | a | policy `upstreams` and `routes` |", .other("policy `upstreams` and `routes`")),
            ("| T5 | a | `error` and `message` |", .other("`error` and `message`")),
            ("| # | statement | shown by |", nil), ("|---|---|---|", nil), ("H1", nil), ("| H1 | a |", nil),
        ]
        for (row, keeper) in rows { #expect(Statement(row: row)?.keeper == keeper, "\(row)") }
    }

    @Test func `what a run has to show is told from what it has not shown`() throws {
        let statement = try #require(Statement(row: "| H1 | a | the document's suite |"))
        #expect(statement.outcome(shown: ["H1"]) == "shown" && statement.outcome(shown: ["H2"]) == nil)
        let missing = try #require(Statement(row: "| H2 | a | `OTPTests/NoSuchTests.swift` |"))
        #expect(missing.outcome(shown: ["H2"]) == nil)
    }

    @Test func `a file of tests that shows a statement exists, and mentions the statement`() throws {
        for statement in Self.statements {
            guard case .suite(let file) = statement.keeper else { continue }
            let path = LatchkeyStack.root + "Tests/" + file
            try #require(FileManager.default.fileExists(atPath: path), "\(statement.id): \(file)")
            // Scenarios and the tests of other languages name their statements by other means.
            guard file.hasSuffix(".swift") else { continue }
            let id = try Regex("\\b\(statement.id)\\b")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains(id), "\(file) does not mention \(statement.id)")
        }
    }
}
