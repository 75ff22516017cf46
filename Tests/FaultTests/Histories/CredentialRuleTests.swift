import TestSupport
import Testing

/// I-5, I-6 and I-10: pairs of histories that differ in one thing, of which the checker takes one and refuses the other.
@Suite struct CredentialRuleTests {
    private typealias Broken = Set<HistoryFinding.Invariant>

    @Test func `a fifth evaluated guess is good, repeats of the right one count once`() {
        for (wrong, expected) in [(4, Broken()), (5, [.guessesAreBounded])] {
            let found = HistoryScript.broken { history in
                for time in 1...wrong { history.guess((time, time + 1), .wrongCode) }
                history.guess((10, 11), .accepted)
                history.guess((20, 21), .accepted)
                for time in 1...wrong { history.guess((time, time + 1), code: "another", .limited) }
            }
            #expect(found == expected)
        }
    }

    @Test func `two codes may open two sessions, one code breaks I-6`() {
        for (code, expected) in [("2", Broken()), ("1", [.oneSessionPerCode])] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a", session: "s", code: "1")
                history.signIn((20, 30), gets: "b", session: "t", code: code)
            }
            #expect(found == expected)
        }
    }

    @Test func `the link of a mail opens one session, repeats get that one; two, or one for the code too, break I-6`() {
        for (link, code, expected) in [
            ("s", nil, Broken()), ("t", nil, [.oneSessionPerCode]), ("s", "t", [.oneSessionPerCode]),
        ] as [(String, String?, Broken)] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a", session: "s", code: "mail 1")
                history.signIn((20, 30), gets: link == "s" ? "a" : "b", session: link, code: "mail 1")
                if let code { history.signIn((40, 50), gets: "c", session: code, code: "mail 1") }
                history.signIn((60, 70), gets: "d", session: "u", code: "mail 2")
            }
            #expect(found == expected)
        }
    }

    @Test func `a token may be of use as soon as its answer is under way, not before it was asked for`() {
        for (begin, expected) in [(20, Broken()), (31, [.onlyWithCredential])] {
            let found = HistoryScript.broken { history in
                history.signIn((begin, 50), gets: "a")
                history.refresh((25, 30), "a", HistoryScript.issue("b"))
            }
            #expect(found == expected)
        }
    }
}
