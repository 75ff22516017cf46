import Foundation
import Testing

@testable import LatchkeyAuth

/// The rows of `Tests/Clients/machine`, which bind the machine in every language: in a state, an event leads to these actions
/// and that state. `Tests/Clients/README.md` explains their words.
@Suite struct MachineRowTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let since: String?
        let before: String?
        let needs: String?
        let given: String
        let event: String
        let then: [String]
        let state: String
        var testDescription: String { name }
    }

    /// The features of `Tests/Clients/README.md` that the machine has: `since` and `before` of a row name one.
    static let features: Set<String> = ["one proof", "kept sign-out", "reads at 401"]

    static let rows = allRows.filter { row in
        // Cookies are for web pages.
        row.needs != "cookies" && (row.since.map(features.contains) ?? true)
            && !(row.before.map(features.contains) ?? false)
    }

    private static let allRows: [Row] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Clients/machine")
        let files = ["callers", "store", "renewal", "ends", "surroundings", "recency"]
        return files.flatMap { name in
            do {
                return try JSONDecoder().decode(
                    [Row].self, from: Data(contentsOf: folder.appending(path: "\(name).json")))
            } catch {
                Issue.record("\(name).json: \(error)")
                return []
            }
        }
    }()

    @Test func `there are rows for every kind of event`() {
        #expect(Self.rows.count >= 150)
        let kinds = Set(Self.rows.compactMap { $0.event.split(separator: " ").first.map(String.init) })
        #expect(kinds.count == 22, "\(kinds.sorted())")
    }

    @Test(arguments: rows)
    func `an event leads to the row's actions and state`(_ row: Row) throws {
        let given = try #require(MachineState(words: row.given), "\(row.given)")
        let event = try #require(MachineEvent(words: row.event), "\(row.event)")
        let (state, actions) = Machine.step(given, event)
        #expect(actions.map(\.words) == row.then)
        #expect(state.words == row.state)
    }

    /// Invariants that no row states: every caller gets a result, and no session is renewed before it is stored.
    @Test func `every event in every state keeps the invariants`() throws {
        let states = try Set(Self.rows.map(\.given)).map { try #require(MachineState(words: $0)) }
        let events = try Set(Self.rows.map(\.event)).map { try #require(MachineEvent(words: $0)) }
        for state in states {
            // A caller has one number, and asks once.
            for event in events where !state.waiters.contains(where: { $0.caller == event.caller }) {
                check(state, event)
            }
        }
    }

    private func check(_ state: MachineState, _ event: MachineEvent) {
        let (next, actions) = Machine.step(state, event)
        let waiting = Set(next.waiters.map(\.caller))
        let answered = actions.compactMap { if case .answer(let caller, _) = $0 { caller } else { nil } }
        #expect(Set(answered).count == answered.count, "no caller is answered twice")
        #expect(waiting.isDisjoint(with: answered))
        #expect(waiting.union(answered).isSuperset(of: state.waiters.map(\.caller)), "no caller is forgotten")
        let renews = actions.contains { if case .renew = $0 { true } else { false } }
        if renews, case .signedIn(let session) = next.phase { #expect(session.saved == .yes) }
        if case .signedIn(let before) = state.phase, case .signedIn(let after) = next.phase {
            #expect(after.record.version >= before.record.version, "no version falls")
        }
    }
}

extension MachineEvent {
    /// The caller that has just begun to wait.
    fileprivate var caller: Int? {
        switch self {
        case .wanted(let caller, _, _), .refusedByAPI(let caller, _, _), .signedIn(let caller, _, _),
            .signOutAsked(let caller, _, _):
            caller
        default: nil
        }
    }
}
