import FoundationEssentials
import TestSupport

/// One thing that a document asks for, and who sees to it.
struct Statement: Sendable {
    enum Keeper: Sendable {
        /// Latchkey, or client code that the document prints: a check of the run has to show it.
        case shown
        /// Like `shown`, but the check takes so long that only the long form has it.
        case shownInLongForm
        /// A file of tests outside this run, by its path below `Tests`.
        case suite(String)
        /// The app, or its developer.
        case client(String)
        /// Work that is planned.
        case later(String)
        /// Nothing that a run could show; the text says what holds.
        case nobody(String)
    }

    /// The id in the list of requirements.
    let id: String
    let words: String
    let keeper: Keeper

    init(_ id: String, _ words: String, _ keeper: Keeper = .shown) {
        self.id = id
        self.words = words
        self.keeper = keeper
    }
}

extension Statement {
    /// Returns the outcome of the statement in a run that has shown these; `nil` if it should have been shown and was not.
    func outcome(shown: Set<String>) -> String? {
        switch keeper {
        case .shown: shown.contains(id) ? "shown" : nil
        case .shownInLongForm:
            shown.contains(id) ? "shown" : LongRun.isOn ? nil : "shown by deploy/compat alone, which waits for it"
        case .suite(let file): Self.exists(file) ? "tests: \(file)" : nil
        case .client(let why): "client's: \(why)"
        case .later(let issue): "later: \(issue)"
        case .nobody(let why): why
        }
    }

    private static func exists(_ file: String) -> Bool {
        FileManager.default.fileExists(atPath: LatchkeyStack.root + "Tests/" + file)
    }
}
