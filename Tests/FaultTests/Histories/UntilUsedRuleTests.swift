import TestSupport
import Testing

/// `repeatWithoutKeySeconds: untilUsed`: pairs of histories that differ in one thing, of which the checker takes one and refuses the
/// other.
@Suite struct UntilUsedRuleTests {
    private typealias Broken = Set<HistoryFinding.Invariant>

    private static func broken(_ write: (inout HistoryScript) -> Void) -> Broken {
        var rules = HistoryRules()
        rules.repeatsUntilUsed = true
        return HistoryScript.broken(rules, write)
    }

    @Test func `the parent brings one successor however late and whatever the keys, another one breaks I-1`() {
        for (key, answer, expected) in [(nil, "b", Broken()), ("k", "b", []), (nil, "x", [.oneSuccessor])] {
            let found = Self.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", HistoryScript.issue("b"))
                history.refresh((90_000_000, 90_000_010), "a", key: key, HistoryScript.issue(answer))
            }
            #expect(found == expected)
        }
    }

    @Test func `a parent that is accepted after the use of its successor breaks I-1`() {
        for (begin, expected) in [(55, Broken()), (61, [.oneSuccessor])] {
            let found = Self.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", HistoryScript.issue("b"))
                history.refresh((40, 60), "b", HistoryScript.issue("c"))
                history.refresh((begin, 70), "a", HistoryScript.issue("b"))
            }
            #expect(found == expected)
        }
    }

    @Test func `a parent that is refused before the use of its successor breaks I-4`() {
        for (isUsed, expected) in [(true, Broken()), (false, [.nothingIsLost])] {
            let found = Self.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", HistoryScript.issue("b"))
                if isUsed { history.refresh((40, 50), "b", HistoryScript.issue("c")) }
                history.refresh((90_000_000, 90_000_010), "a", .refused)
            }
            #expect(found == expected)
        }
    }

    @Test func `the parent's parent ends nothing for ten seconds, and a session that outlives it later breaks I-2`() {
        for (begin, expected) in [(60, Broken()), (11_049, []), (11_050, [.reuseEnds])] {
            let found = Self.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", HistoryScript.issue("b"))
                history.refresh((40, 49), "b", HistoryScript.issue("c"))
                history.refresh((begin, begin + 10), "a", .refused)
                history.refresh((begin + 20, begin + 30), "c", HistoryScript.issue("d"))
            }
            #expect(found == expected)
        }
    }

    @Test func `the parent's parent excuses no refusal of the newest token for ten seconds, and theft does`() {
        for (begin, expected) in [(9_039, Broken([.nothingIsLost])), (9_040, [])] {
            let found = Self.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", HistoryScript.issue("b"))
                history.refresh((40, 50), "b", HistoryScript.issue("c"))
                history.refresh((begin, begin + 1), "a", .refused)
                history.refresh((begin + 10, begin + 20), "c", .refused)
            }
            #expect(found == expected)
        }
    }

    @Test func `a session that outlives an older token breaks I-2 at once`() {
        let found = Self.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((20, 30), "a", HistoryScript.issue("b"))
            history.refresh((40, 50), "b", HistoryScript.issue("c"))
            history.refresh((60, 70), "c", HistoryScript.issue("d"))
            history.refresh((80, 90), "a", .refused)
            history.refresh((100, 110), "d", HistoryScript.issue("e"))
        }
        #expect(found == [.reuseEnds])
    }
}
