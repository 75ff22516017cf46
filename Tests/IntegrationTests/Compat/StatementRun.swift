import Synchronization
import TestSupport
import Testing

/// The statements that a run's checks have shown so far.
final class StatementRun: Sendable {
    @TaskLocal static var current: StatementRun?

    private struct State {
        var shown: Set<String> = []
        var failed: Set<String> = []
    }

    /// Whether answers are spoiled on purpose: what the checks then find wrong is noted, and is no issue.
    let isControl: Bool
    private let state = Mutex(State())

    init(isControl: Bool = false) { self.isControl = isControl }

    /// Statements that a check has shown and none has found wrong.
    var shown: Set<String> { state.withLock { $0.shown.subtracting($0.failed) } }

    /// Statements that a check has found wrong.
    var failed: Set<String> { state.withLock { $0.failed } }

    func note(_ ids: [String], holds: Bool) {
        state.withLock { state in
            if holds { state.shown.formUnion(ids) } else { state.failed.formUnion(ids) }
        }
    }
}

/// Runs a check that shows the statements with these ids; what it throws is an issue, and the rest of the test goes on.
func show(
    _ ids: String..., sourceLocation: SourceLocation = #_sourceLocation, _ check: () async throws -> Void
) async {
    do {
        try await check()
        StatementRun.current?.note(ids, holds: true)
    } catch {
        StatementRun.current?.note(ids, holds: false)
        guard StatementRun.current?.isControl != true else { return }
        Issue.record("\(ids.joined(separator: ", ")): \(error)", sourceLocation: sourceLocation)
    }
}

/// A check that says what it missed, and is no issue of its own.
struct Unmet: Error, CustomStringConvertible { let description: String }

func hold(_ isSo: Bool, _ words: String) throws {
    guard isSo else { throw Unmet(description: "not so: \(words)") }
}

/// Runs checks in which something is spoiled, and returns the statements that they found wrong.
func failures(of checks: () async -> Void) async -> Set<String> {
    let run = StatementRun(isControl: true)
    await StatementRun.$current.withValue(run) { await checks() }
    return run.failed
}

/// Asks at the end of a suite whether each statement of a document was shown or is named as somebody else's: a suite with
/// this trait is meant to run as a whole.
struct StatementsTrait: SuiteTrait, TestScoping {
    struct NotShown: Error, CustomStringConvertible { let description: String }

    let document: Document

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let run = StatementRun()
        try await StatementRun.$current.withValue(run) { try await function() }
        let table = document.table(shown: run.shown)
        for (statement, outcome) in table {
            let id = statement.id.padding(to: 4)
            LongRun.report("\(id)\(statement.words) -> \(outcome ?? "NOT SHOWN")")
        }
        let missing = table.filter { $0.outcome == nil }.map(\.statement.id)
        guard missing.isEmpty else {
            throw NotShown(description: "\(document.name): not shown: \(missing.joined(separator: ", "))")
        }
    }
}

extension Trait where Self == StatementsTrait {
    /// Every statement of the document has to be shown by the suite, or to be named as somebody else's.
    static func statements(of document: String) -> Self { StatementsTrait(document: Document(document)) }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - utf8.count) + 1)
    }
}
