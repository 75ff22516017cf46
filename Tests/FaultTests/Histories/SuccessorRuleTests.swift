import TestSupport
import Testing

/// I-1: pairs of histories that differ in one thing, of which the checker takes one and refuses the other.
@Suite struct SuccessorRuleTests {
    private typealias Broken = Set<HistoryFinding.Invariant>

    @Test func `a token may be repeated with its key however late, without one for as long as the policy grants`() {
        for (key, begin, expected) in [
            ("k", 90_000_000, Broken()), (nil, 61_030, []), (nil, 61_031, [.oneSuccessor]),
        ] {
            var rules = HistoryRules()
            rules.repeatLimitWithoutKey = .seconds(60)
            let found = HistoryScript.broken(rules) { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", key: key, HistoryScript.issue("b"))
                history.refresh((begin, begin + 10), "a", key: key, HistoryScript.issue("b"))
            }
            #expect(found == expected)
        }
    }

    @Test func `a late repeat with another key breaks I-1, whatever the policy grants without one`() {
        for key in ["l", nil] {
            var rules = HistoryRules()
            rules.repeatLimitWithoutKey = .seconds(600)
            let found = HistoryScript.broken(rules) { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", key: "k", HistoryScript.issue("b"))
                history.refresh((40, 50), "a", key: key, HistoryScript.issue("b"))
            }
            #expect(found == [.oneSuccessor])
        }
    }

    @Test func `a repeat that began before the successor was answered is good, one after it breaks I-1`() {
        for (begin, expected) in [(55, Broken()), (61, [.oneSuccessor])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", key: "k", HistoryScript.issue("b"))
                history.refresh((40, 60), "b", key: "l", HistoryScript.issue("c"))
                history.refresh((begin, 70), "a", key: "k", HistoryScript.issue("b"))
            }
            #expect(found == expected)
        }
    }

    @Test func `a repeat without a key is good where the policy grants it`() {
        for (isGranted, expected) in [(true, Broken()), (false, [.oneSuccessor])] {
            var rules = HistoryRules()
            rules.repeatLimitWithoutKey = isGranted ? .seconds(60) : .zero
            let found = HistoryScript.broken(rules) { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", HistoryScript.issue("b"))
                history.refresh((40, 50), "a", HistoryScript.issue("b"))
            }
            #expect(found == expected)
        }
    }

    @Test func `a repeated sign-in brings the same token, another one breaks I-1`() {
        for (code, expected) in [("1", Broken()), ("2", [.oneSuccessor])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a", code: "1")
                history.signIn((20, 30), gets: "a", code: code)
            }
            #expect(found == expected)
        }
    }
}
