import TestSupport
import Testing

/// I-2 and I-3: pairs of histories that differ in one thing, of which the checker takes one and refuses the other.
@Suite struct EndRuleTests {
    private typealias Broken = Set<HistoryFinding.Invariant>

    @Test func `a refresh that was under way at an answered reuse is good, one begun later breaks I-2`() {
        for (begin, expected) in [(50, Broken()), (51, [.reuseEnds])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", HistoryScript.issue("b"))
                history.refresh((40, 50), "a", .refused)
                history.refresh((begin, 60), "b", HistoryScript.issue("c"))
            }
            #expect(found == expected)
        }
    }

    @Test func `a policy that spares the session spares it whatever the age of the token, others do not`() {
        for (token, spares, expected) in [
            ("b", true, Broken()), ("a", true, []), ("b", false, [.reuseEnds]), ("a", false, [.reuseEnds]),
        ] {
            var rules = HistoryRules()
            rules.sparesSession = spares
            let found = HistoryScript.broken(rules) { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", HistoryScript.issue("b"))
                history.refresh((40, 50), "b", HistoryScript.issue("c"))
                history.refresh((60, 70), token, .refused)
                history.refresh((80, 90), "c", HistoryScript.issue("d"))
            }
            #expect(found == expected)
        }
    }

    @Test
    func `a copy with its own key within ten seconds of its successor's use may end nothing, others have ended it`() {
        for (token, key, begin, expected) in [
            ("a", "k", 61_049, Broken()), ("a", "k", 61_050, [.reuseEnds]), ("a", "l", 60, [.reuseEnds]),
            ("a", nil, 60, [.reuseEnds]),
        ] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", key: "k", HistoryScript.issue("b"))
                history.refresh((40, 49), "b", key: "l", HistoryScript.issue("c"))
                history.refresh((begin, begin + 10), token, key: key, .refused)
                history.refresh((begin + 20, begin + 30), "c", key: "m", HistoryScript.issue("d"))
            }
            #expect(found == expected)
        }
    }

    @Test func `a copy from two rotations ago has ended the session, its own key or not`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((20, 30), "a", key: "k", HistoryScript.issue("b"))
            history.refresh((40, 50), "b", key: "l", HistoryScript.issue("c"))
            history.refresh((60, 70), "c", key: "m", HistoryScript.issue("d"))
            history.refresh((80, 90), "a", key: "k", .refused)
            history.refresh((100, 110), "d", key: "n", HistoryScript.issue("e"))
        }
        #expect(found == [.reuseEnds])
    }

    @Test func `an unanswered reuse may have ended the session or not, an answered one has`() {
        for (end, expected) in [(0, Broken()), (50, [.reuseEnds])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", HistoryScript.issue("b"))
                history.refresh((40, end), "a", .refused)
                history.refresh((60, 70), "b", HistoryScript.issue("c"))
            }
            #expect(found == expected)
        }
    }

    @Test func `cookies that refresh a page's session after its sign-out break I-3, two tabs before it do not`() {
        for (begin, expected) in [(60, Broken()), (71, [.endIsFinal])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                // Two tabs, and later both once more, each time with the key of their cookies.
                for times in [(20, 30), (22, 32)] {
                    history.refresh(times, "a", key: "hmac a", HistoryScript.issue("b"))
                }
                history.logout((50, 70))
                history.refresh((begin, 80), "b", key: "hmac b", HistoryScript.issue("c"))
            }
            #expect(found == expected)
        }
    }

    @Test func `a call within the bound after an end is good, one past it breaks I-3`() {
        for (begin, expected) in [(130, Broken()), (131, [.endIsFinal])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.endUser((20, 30))
                history.call((begin, begin + 1), "a", .accepted)
            }
            #expect(found == expected)
        }
    }

    @Test func `an end that was refused or not answered may be outlived, an acknowledged one breaks I-3`() {
        for (outcome, end, expected) in [
            (Outcome.unknown, 0, Broken()), (.refused, 30, []), (.limited, 30, []),
            (.accepted, 30, [.endIsFinal]),
        ] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.logout((20, end), outcome)
                history.refresh((40, 50), "a", HistoryScript.issue("b"))
            }
            #expect(found == expected)
        }
    }

    @Test func `a sign-in repeated before its session's logout is good, one after it breaks I-3`() {
        for (begin, expected) in [(40, Broken()), (41, [.endIsFinal])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.logout((20, 40))
                history.signIn((begin, 60), gets: "a")
            }
            #expect(found == expected)
        }
    }

    @Test func `the end of one user's sessions is not that of another's`() {
        for (user, expected) in [("v", Broken()), ("u", [.endIsFinal])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a", user: "u")
                history.endUser((20, 30), user: user)
                history.refresh((40, 50), "a", HistoryScript.issue("b"))
            }
            #expect(found == expected)
        }
    }
}
