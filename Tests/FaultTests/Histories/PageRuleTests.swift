import TestSupport
import Testing

/// Sessions of pages: pairs of histories that differ in one thing, of which the checker takes one and refuses the other.
@Suite struct PageRuleTests {
    private typealias Broken = Set<HistoryFinding.Invariant>

    @Test func `a tab that is refreshes behind has the newest token, and anything else breaks I-1`() {
        for (given, expected) in [
            ("d", Broken()), ("c", [.oneSuccessor]), ("b", [.oneSuccessor]), ("x", [.oneSuccessor]),
        ] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", cookies: .both, HistoryScript.issue("b"))
                history.refresh((40, 50), "b", cookies: .both, HistoryScript.issue("c"))
                history.refresh((60, 70), "c", cookies: .both, HistoryScript.issue("d"))
                history.refresh((80, 90), "a", cookies: .both, HistoryScript.issue(given))
            }
            #expect(found == expected, "\(given)")
        }
    }

    @Test func `tabs at once have one successor, two break I-1`() {
        for (second, expected) in [("b", Broken()), ("c", [.oneSuccessor])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 40), "a", cookies: .both, HistoryScript.issue("b"))
                history.refresh((21, 41), "a", cookies: .both, HistoryScript.issue(second))
                history.refresh((22, 0), "a", cookies: .both, .unknown)
                history.refresh((50, 60), "b", cookies: .both, HistoryScript.issue("d"))
            }
            #expect(found == expected)
        }
    }

    @Test func `requests that cross may skip a token that another tab got`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((20, 90), "a", cookies: .both, HistoryScript.issue("c"))
            history.refresh((21, 30), "a", cookies: .both, HistoryScript.issue("b"))
            history.refresh((31, 95), "b", cookies: .both, HistoryScript.issue("c"))
            history.refresh((100, 110), "a", cookies: .both, HistoryScript.issue("c"))
        }
        #expect(found.isEmpty)
    }

    @Test func `a thief with one cookie of the two gets nothing, and a server that rotates for one breaks I-10`() {
        for (outcome, expected) in [
            (Outcome.refused, Broken()),
            (HistoryScript.issue("b"), Broken([HistoryFinding.Invariant.onlyWithCredential])),
        ]
            as [(Outcome, Broken)]
        {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", cookies: .one, outcome)
                history.refresh((40, 50), outcome == .refused ? "a" : "b", cookies: .both, HistoryScript.issue("c"))
            }
            #expect(found.isSuperset(of: expected) && found.isEmpty == expected.isEmpty, "\(found)")
        }
    }

    @Test func `a thief with one cookie of the two ends nothing, and a server that ends the session then breaks I-4`() {
        for (outcome, expected) in [
            (HistoryScript.issue("c"), Broken()), (Outcome.refused, Broken([HistoryFinding.Invariant.nothingIsLost])),
        ]
            as [(Outcome, Broken)]
        {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", cookies: .both, HistoryScript.issue("b"))
                history.refresh((40, 50), "a", cookies: .one, .refused)
                history.refresh((60, 70), "b", cookies: .both, outcome)
            }
            #expect(found == expected)
        }
    }

    @Test func `a server without the rule refuses the tab's token and breaks I-4`() {
        for (outcome, expected) in [
            (HistoryScript.issue("d"), Broken()), (Outcome.refused, Broken([HistoryFinding.Invariant.nothingIsLost])),
        ]
            as [(Outcome, Broken)]
        {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", cookies: .both, HistoryScript.issue("b"))
                history.refresh((40, 50), "b", cookies: .both, HistoryScript.issue("c"))
                history.refresh((60, 70), "c", cookies: .both, HistoryScript.issue("d"))
                history.refresh((80, 90), "a", cookies: .both, outcome)
            }
            #expect(found == expected)
        }
    }

    @Test func `a token replaced two windows before the newest rotation ends the session, and an answer breaks I-1`() {
        for (minutes, outcome, after, expected) in [
            (5, Outcome.refused, Outcome.refused, Broken()),
            (3, HistoryScript.issue("c"), HistoryScript.issue("d"), []),
            (5, HistoryScript.issue("c"), HistoryScript.issue("d"), [.oneSuccessor]),
            (5, .refused, HistoryScript.issue("d"), [.reuseEnds]), (1, .refused, .refused, [.nothingIsLost]),
        ] as [(Int, Outcome, Outcome, Broken)] {
            let later = minutes * 60_000
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", cookies: .both, HistoryScript.issue("b"))
                history.refresh((later, later + 10), "b", cookies: .both, HistoryScript.issue("c"))
                history.refresh((later + 20, later + 30), "a", cookies: .both, outcome)
                history.refresh((later + 40, later + 50), "c", cookies: .both, after)
            }
            #expect(found == expected, "\(minutes), \(outcome): \(found)")
        }
    }

    @Test func `a late answer keeps a token for the tabs that have it too`() {
        for (gap, expected) in [(1_000, Broken()), (300_000, [.oneSuccessor])] {
            let hour = 3_600_000
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", cookies: .both, HistoryScript.issue("b"))
                history.refresh((40, 50), "b", cookies: .both, HistoryScript.issue("c"))
                history.refresh((hour, hour + 10), "a", cookies: .both, HistoryScript.issue("c"))
                history.refresh((hour + gap, hour + gap + 10), "c", cookies: .both, HistoryScript.issue("d"))
                history.refresh((hour + gap + 20, hour + gap + 30), "a", cookies: .both, HistoryScript.issue("d"))
            }
            #expect(found == expected)
        }
    }

    @Test func `without late tabs pages have the rules of apps`() {
        var rules = HistoryRules()
        rules.lateTabWindow = .zero
        for (cookies, expected) in [
            (Operation.PageCookies.both, Broken([.oneSuccessor])), (.one, [.onlyWithCredential]),
        ] {
            let found = HistoryScript.broken(rules) { history in
                history.signIn((0, 10), gets: "a")
                history.refresh((20, 30), "a", key: "k", cookies: .both, HistoryScript.issue("b"))
                history.refresh((40, 50), "b", key: "l", cookies: .both, HistoryScript.issue("c"))
                history.refresh(
                    (60, 70), cookies == .both ? "a" : "c", key: "k", cookies: cookies, HistoryScript.issue("d"))
            }
            #expect(found.isSuperset(of: expected), "\(found)")
        }
    }
}
