import FoundationEssentials
import TestSupport
import Testing

/// `Tests/Compat/statements.md`, the listing of the documents' statements, and the tests that it names.
///
/// `LATCHKEY_WRITE_GOLDEN=1 swift test --filter StatementListingTests` writes the listing again.
@Suite struct StatementListingTests {
    private static let statements = Document.all.flatMap(\.statements)

    private static let listing = """
        # Statements of the documents

        For contributors: every statement of the five documents to which apps were written, and what shows it. This file is
        generated from the suites in `Tests/IntegrationTests/Compat` by
        `LATCHKEY_WRITE_GOLDEN=1 swift test --filter StatementListingTests`. What differs from the documents is stated in
        [Compatibility](../../deploy/docs/reference/compatibility.md).

        \(Document.all.map(\.listing).joined(separator: "\n"))
        """

    @Test func `the listing is the one that the suites' statements make`() throws {
        let file = LatchkeyStack.root + "Tests/Compat/statements.md"
        if ProcessInfo.processInfo.environment["LATCHKEY_WRITE_GOLDEN"] == "1" {
            try Self.listing.write(toFile: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == Self.listing)
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

extension Document {
    fileprivate var listing: String {
        let rows = statements.map { "| \($0.id) | \($0.words) | \($0.keeper.listing(of: name)) |\n" }
        return "## \(name)\n\n| # | statement | shown by |\n|---|---|---|\n\(rows.joined())"
    }
}

extension Statement.Keeper {
    fileprivate func listing(of document: String) -> String {
        switch self {
        case .shown: "the document's suite"
        case .shownInLongForm: "`deploy/compat \(document)`, which waits for it"
        case .suite(let file): "`\(file)`"
        case .client(let why): "left to the app: \(why)"
        case .later(let what): "not yet: \(what)"
        case .nobody(let why): why
        }
    }
}
