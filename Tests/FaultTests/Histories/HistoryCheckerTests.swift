import TestSupport
import Testing

/// Each bad history is refused for the right reason, and nothing else; each good one passes. What differs in one thing from its
/// opposite is in the suites of the rules.
@Suite struct HistoryCheckerTests {
    // MARK: - Good

    @Test func `a life of sign-in, calls, rotations and logout is good`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.call((11, 12), "a", .accepted)
            history.refresh((20, 30), "a", HistoryScript.issue("b"))
            history.call((31, 32), "a", .accepted)
            history.refresh((40, 50), "b", key: "k", HistoryScript.issue("c"))
            history.logout((60, 70))
            history.call((65, 80), "c", .accepted)
            history.call((150, 160), "c", .accepted)
            history.call((180, 190), "c", .refused)
            history.refresh((71, 80), "c", .refused)
            history.logout((200, 210))
        }
        #expect(found.isEmpty)
    }

    @Test func `a lost answer that is repeated with its key is good`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((20, 0), "a", key: "k", .unknown)
            history.refresh((30, 40), "a", key: "k", HistoryScript.issue("b"))
            history.refresh((35, 45), "a", key: "k", HistoryScript.issue("b"))
            history.refresh((50, 60), "b", key: "l", HistoryScript.issue("c"))
        }
        #expect(found.isEmpty)
    }

    @Test
    func `a lost answer that is asked for a month later is good, and so is a copy of it behind the next rotation`() {
        let month = 2_592_000_000
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((20, 0), "a", key: "k", .unknown)
            history.refresh((month, month + 10), "a", key: "k", HistoryScript.issue("b"))
            history.refresh((month + 20, month + 30), "b", key: "l", HistoryScript.issue("c"))
            history.refresh((month + 25, month + 40), "a", key: "k", .refused)
            history.refresh((month + 50, month + 60), "c", key: "m", HistoryScript.issue("d"))
        }
        #expect(found.isEmpty)
    }

    @Test func `one of many refreshes without a key succeeds, and the session is over`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((20, 31), "a", HistoryScript.issue("b"))
            history.refresh((20, 30), "a", .refused)
            history.refresh((20, 32), "a", .refused)
            history.refresh((40, 50), "b", .refused)
            history.call((200, 210), "b", .refused)
        }
        #expect(found.isEmpty)
    }

    @Test func `four wrong guesses and the right one, twice, are good`() {
        let found = HistoryScript.broken { history in
            for time in 1...4 { history.guess((time, time + 1), .wrongCode) }
            history.guess((10, 0), .unknown)
            history.signIn((20, 30), gets: "a")
            history.signIn((20, 30), gets: "a")
            history.guess((40, 50), .limited)
        }
        #expect(found.isEmpty)
    }

    @Test func `a sign-in during an end of all sessions may outlive it`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a", session: "s", code: "1")
            history.signIn((20, 40), gets: "b", session: "t", code: "2")
            history.endUser((30, 50))
            history.refresh((60, 70), "b", session: "t", HistoryScript.issue("c", session: "t"))
            history.refresh((60, 70), "a", session: "s", .refused)
        }
        #expect(found.isEmpty)
    }

    @Test func `a change of the password that spares its session, and logins around it, are good`() {
        let found = HistoryScript.broken { history in
            history.setPassword((0, 10), "one", link: "l", key: "k")
            history.setPassword((12, 13), "one", link: "l", key: "k")
            history.setPassword((14, 15), "other", link: "l", .refused)
            history.logIn((20, 30), "one", gets: "a", session: "s")
            history.logIn((25, 55), "one", gets: "b", session: "t")
            history.setPassword((40, 60), "two", sparing: "s")
            history.refresh((45, 50), "b", session: "t", HistoryScript.issue("c", session: "t"))
            history.logIn((50, 58), "one", gets: "d", session: "v")
            history.logIn((70, 80), "two", gets: "e", session: "w")
            history.refresh((70, 80), "a", session: "s", HistoryScript.issue("f", session: "s"))
            history.refresh((70, 80), "c", session: "t", .refused)
            history.refresh((70, 80), "d", session: "v", .refused)
            history.call((200, 210), "e", session: "w", .accepted)
        }
        #expect(found.isEmpty)
    }

    @Test func `a change that was not answered may have happened or not`() {
        for session in ["s", "t"] {
            let found = HistoryScript.broken { history in
                history.logIn((0, 10), "one", gets: "a", session: "s")
                history.setPassword((20, 0), "two")
                history.logIn((30, 40), session == "s" ? "one" : "two", gets: "b", session: "t")
                history.refresh((50, 60), "a", session: "s", .refused)
            }
            #expect(found.isEmpty)
        }
    }

    @Test func `of two changes at once either password may hold`() {
        let found = HistoryScript.broken { history in
            history.setPassword((0, 20), "one")
            history.setPassword((10, 30), "two")
            history.logIn((40, 50), "one", gets: "a", session: "s")
        }
        #expect(found.isEmpty)
    }

    // MARK: - Bad

    @Test func `an old password that signs in after an answered change breaks R-38`() {
        let found = HistoryScript.broken { history in
            history.setPassword((0, 10), "one", link: "l")
            history.setPassword((20, 30), "two")
            history.logIn((31, 40), "one", gets: "a")
        }
        #expect(found == [.oldPasswordIsVoid])
    }

    @Test
    func `a session of the old password that lives after an answered change breaks I-3, though it began meanwhile`() {
        for (begin, end) in [(0, 10), (25, 40)] {
            let found = HistoryScript.broken { history in
                history.logIn((begin, end), "one", gets: "a", session: "s")
                history.setPassword((20, 30), "two", sparing: "t")
                history.refresh((50, 60), "a", session: "s", HistoryScript.issue("b", session: "s"))
            }
            #expect(found == [.endIsFinal])
        }
    }

    @Test func `a spared session that is refused breaks I-4`() {
        let found = HistoryScript.broken { history in
            history.logIn((0, 10), "one", gets: "a", session: "s")
            history.setPassword((20, 30), "two", sparing: "s")
            history.refresh((40, 50), "a", session: "s", .refused)
        }
        #expect(found == [.nothingIsLost])
    }

    @Test func `a link that serves twice breaks R-67, unless it is one call's repeat`() {
        for (first, second, isBroken) in [(nil, nil, true), ("k", "l", true), ("k", "k", false)] {
            let found = HistoryScript.broken { history in
                history.setPassword((0, 10), "one", link: "l", key: first)
                history.setPassword((20, 30), "one", link: "l", key: second)
            }
            #expect(found == (isBroken ? [.linkServesOnce] : []))
        }
    }

    @Test func `two successors of one token break I-1`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((20, 30), "a", key: "k", HistoryScript.issue("b"))
            history.refresh((20, 30), "a", key: "k", HistoryScript.issue("c"))
        }
        #expect(found == [.oneSuccessor])
    }

    @Test func `one successor for two tokens breaks I-1`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a", session: "s", code: "1", user: "u")
            history.signIn((0, 10), gets: "b", session: "t", code: "2", user: "v")
            history.refresh((20, 30), "a", session: "s", HistoryScript.issue("c", session: "s"))
            history.refresh((20, 30), "b", session: "t", HistoryScript.issue("c", session: "t"))
        }
        #expect(found == [.oneSuccessor])
    }

    @Test func `a successor of another session breaks I-1`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((20, 30), "a", session: "s", HistoryScript.issue("b", session: "t"))
        }
        #expect(found == [.oneSuccessor])
    }

    @Test func `a call past the bound after an answered reuse breaks I-2`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((20, 30), "a", HistoryScript.issue("b"))
            history.refresh((40, 50), "a", .refused)
            history.call((151, 152), "b", .accepted)
        }
        #expect(found == [.reuseEnds])
    }

    @Test func `a successor minted across a logout that is of use afterwards breaks I-3`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((15, 40), "a", HistoryScript.issue("b"))
            history.logout((20, 30))
            history.refresh((50, 60), "b", HistoryScript.issue("c"))
        }
        #expect(found == [.endIsFinal])
    }

    @Test func `an acknowledged successor that is refused breaks I-4`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.refresh((20, 30), "a", HistoryScript.issue("b"))
            history.refresh((40, 50), "b", key: "k", .refused)
        }
        #expect(found == [.nothingIsLost])
    }

    @Test func `a good access token that is refused breaks I-4`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a")
            history.call((20, 30), "a", .refused)
            history.logout((40, 50))
        }
        #expect(found == [.nothingIsLost])
    }

    @Test func `a logout of another session excuses nothing`() {
        let found = HistoryScript.broken { history in
            history.signIn((0, 10), gets: "a", session: "s", code: "1", user: "u")
            history.signIn((0, 10), gets: "b", session: "t", code: "2", user: "u")
            history.logout((20, 30), session: "t")
            history.refresh((40, 50), "a", .refused)
        }
        #expect(found == [.nothingIsLost])
    }

    @Test func `a call without a token, or with one that nobody was given, breaks I-10`() {
        for token in [nil, "made up"] {
            let found = HistoryScript.broken { history in
                history.signIn((0, 10), gets: "a")
                history.call((20, 30), token, .accepted)
            }
            #expect(found == [.onlyWithCredential])
        }
    }
}
