import TestSupport
import Testing

/// I-4: pairs of histories that differ in one thing, of which the checker takes one and refuses the other.
@Suite struct LossRuleTests {
    private typealias Broken = Set<HistoryFinding.Invariant>

    @Test func `the end of another user's sessions excuses nothing`() {
        for (user, expected) in [("u", Broken()), ("v", [.nothingIsLost])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a", user: "u")
                history.endUser((20, 30), user: user)
                history.refresh((40, 50), "a", .refused)
            }
            #expect(found == expected)
        }
    }

    @Test func `an end that begins after a refusal does not excuse it`() {
        for (begin, expected) in [(29, Broken()), (31, [.nothingIsLost])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", .refused)
                history.logout((begin, 40))
            }
            #expect(found == expected)
        }
    }

    @Test func `a repeat with its key that is refused breaks I-4 however late, without one while the policy grants it`()
    {
        for (key, end, expected) in [
            ("k", 90_000_000, [HistoryFinding.Invariant.nothingIsLost]), (nil, 60_019, [.nothingIsLost]),
            (nil, 60_020, []),
        ] as [(String?, Int, Broken)] {
            var rules = HistoryRules()
            rules.repeatLimitWithoutKey = .seconds(60)
            let found = HistoryScript.broken(rules) { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 0), "a", key: key, .unknown)
                history.refresh((end - 1, end), "a", key: key, .refused)
            }
            #expect(found == expected)
        }
    }

    @Test func `a late copy excuses no refusal of the newest token, and theft does`() {
        for (key, begin, expected) in [
            ("k", 59_039, [HistoryFinding.Invariant.nothingIsLost]), ("k", 59_040, []), ("l", 60, []), (nil, 60, []),
        ] as [(String?, Int, Broken)] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", key: "k", HistoryScript.issue("b"))
                history.refresh((40, 50), "b", key: "l", HistoryScript.issue("c"))
                history.refresh((begin, begin + 1), "a", key: key, .refused)
                history.refresh((begin + 10, begin + 20), "c", key: "m", .refused)
            }
            #expect(found == expected)
        }
    }

    @Test func `a token that another may have used is refused rightly, with its own key it breaks I-4`() {
        for (key, expected) in [("l", Broken()), ("k", [.nothingIsLost])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 0), "a", key: "k", .unknown)
                history.refresh((30, 40), "a", key: key, .refused)
            }
            #expect(found == expected)
        }
    }

    @Test func `a repeat after the successor was presented is refused rightly, before that it breaks I-4`() {
        for (begin, expected) in [(45, Broken()), (55, [.nothingIsLost])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", key: "k", HistoryScript.issue("b"))
                history.refresh((40, 50), "a", key: "k", .refused)
                history.refresh((begin, 0), "b", key: "l", .unknown)
            }
            #expect(found == expected)
        }
    }

    @Test func `a token that was not yet answered may be unknown, an acknowledged one breaks I-4`() {
        for (end, expected) in [(40, Broken()), (20, [.nothingIsLost])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, end), gets: "a")
                history.call((30, 35), "a", .refused)
            }
            #expect(found == expected)
        }
    }

    @Test func `a limit or a failure loses nothing, a refusal breaks I-4`() {
        for (outcome, expected) in [
            (Outcome.limited, Broken()), (.unknown, []), (.refused, [.nothingIsLost]),
        ] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", outcome)
            }
            #expect(found == expected)
        }
    }
}
