import FoundationEssentials
import TestSupport

/// One thing that a document asks for, and who sees to it: a row of `Tests/Compat/statements.md`.
struct Statement: Sendable {
    enum Keeper: Sendable, Equatable {
        /// Latchkey, or client code that the document prints: a check of the run has to show it.
        case shown
        /// Like `shown`, but the check takes so long that only the long form has it.
        case shownInLongForm
        /// A file of tests outside this run, by its path below `Tests`.
        case suite(String)
        /// The app, work that is planned, or nothing that a run could show; the text says what holds.
        case other(String)

        /// - Parameter text: the last column.
        init(_ text: String) {
            let isPath = text.hasPrefix("`") && text.hasSuffix("`") && !text.dropFirst().dropLast().contains("`")
            self =
                switch text {
                case "the document's suite": .shown
                case _ where text.hasPrefix("`deploy/compat "): .shownInLongForm
                case _ where isPath: .suite(String(text.dropFirst().dropLast()))
                default: .other(text)
                }
        }
    }

    /// The id in the list of requirements.
    let id: String
    let words: String
    let keeper: Keeper

    /// Reads a row `| id | words | shown by |`; nil for any other line.
    init?(row: Substring) {
        let cells = row.trimmingPrefix("| ").split(separator: " | ")
        guard row.hasPrefix("| "), row.hasSuffix(" |"), cells.count == 3,
            cells[0].wholeMatch(of: #/[A-Z][0-9]+/#) != nil
        else { return nil }
        (id, words, keeper) = (String(cells[0]), String(cells[1]), Keeper(String(cells[2].dropLast(2))))
    }

    /// Returns the outcome of the statement in a run that has shown these; `nil` if it should have been shown and was not.
    func outcome(shown: Set<String>) -> String? {
        switch keeper {
        case .shown: shown.contains(id) ? "shown" : nil
        case .shownInLongForm:
            shown.contains(id) ? "shown" : LongRun.isOn ? nil : "shown by deploy/compat alone, which waits for it"
        case .suite(let file):
            FileManager.default.fileExists(atPath: LatchkeyStack.root + "Tests/" + file) ? "tests: \(file)" : nil
        case .other(let text): text
        }
    }
}

/// A document's statements, all of them.
struct Document: Sendable {
    /// All of them, in the order of `Tests/Compat/statements.md`.
    static let all = ["howru", "aarokya", "voltyks", "gremlin", "uta"].map { Document($0) }

    let name: String
    let statements: [Statement]

    /// Reads the document's section; a file that cannot be read has no statement, which a test finds.
    init(_ name: String) {
        self.name = name
        do {
            let page = try String(contentsOfFile: LatchkeyStack.root + "Tests/Compat/statements.md", encoding: .utf8)
            let section = page.split(separator: "\n## ").first { $0.hasPrefix(name + "\n") } ?? ""
            statements = section.split(separator: "\n").compactMap { Statement(row: $0) }
        } catch {
            print("statements.md: \(error)")
            statements = []
        }
    }

    /// A line for each statement; nil in place of what became of it where a run should have shown it and has not.
    func table(shown: Set<String>) -> [(statement: Statement, outcome: String?)] {
        statements.map { ($0, $0.outcome(shown: shown)) }
    }
}
