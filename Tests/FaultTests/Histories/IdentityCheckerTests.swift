import TestSupport
import Testing

/// Each bad history of identities is refused for the right reason, and nothing else; each good one passes.
@Suite struct IdentityCheckerTests {
    private typealias Script = IdentityScript

    // MARK: - Good

    @Test func `a life of changes is good`() {
        let found = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true, session: "1")
            history.add((20, 30), Script.address, to: "a")
            history.signIn((40, 50), Script.address, to: "a", session: "2")
            history.add((60, 70), Script.other, to: "a")
            history.signIn((80, 90), Script.number, to: "b", isNew: true)
            history.signIn((80, 90), Script.other, to: "a")
            history.remove((100, 110), Script.other, of: "a", session: "2")
            history.refresh((120, 130), "a", session: "2")
            history.refresh((120, 130), "a", session: "1", .refused)
            history.add((140, 150), Script.other, to: "b")
            history.act(.delete, (160, 170), "a")
            history.signIn((180, 190), Script.address, to: "a")
        }
        #expect(found.isEmpty)
    }

    @Test func `what happens at the same time may happen in any order`() {
        let found = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.add((20, 30), Script.address, to: "a")
            history.remove((40, 60), Script.number, of: "a")
            history.signIn((41, 50), Script.number, to: "a")
            history.signIn((51, 61), Script.number, to: "b", isNew: true)
            history.remove((70, 80), Script.address, of: "a")
            history.add((75, 85), Script.number, to: "a", .refused)
            history.add((75, 85), Script.other, to: "a")
        }
        #expect(found.isEmpty)
    }

    @Test func `a change without an answer may have happened, or happen later`() {
        for isDone in [true, false] {
            let found = Script.broken { history in
                history.signIn((0, 10), Script.number, to: "a", isNew: true)
                history.add((20, 0), Script.other, to: "a")
                history.signIn((30, 40), Script.number, to: isDone ? "b" : "a", isNew: isDone)
                history.signIn((50, 60), Script.other, to: "a")
                history.signIn((70, 80), Script.number, to: isDone ? "b" : "c", isNew: !isDone)
                history.signIn((90, 0), Script.address, to: nil)
                history.signIn((95, 99), Script.address, to: "d")
            }
            #expect(found.isEmpty, "\(found)")
        }
    }

    @Test func `a merge brings identities, and the rest begins new accounts`() {
        let found = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true, session: "1")
            history.signIn((0, 10), Script.other, to: "b", isNew: true, session: "2")
            history.add((20, 30), Script.address, to: "b")
            history.merge((40, 50), "b", into: "a")
            history.signIn((60, 70), Script.address, to: "a")
            history.signIn((60, 70), Script.other, to: "c", isNew: true)
            history.refresh((60, 70), "b", session: "2", .refused)
            history.refresh((60, 70), "a", session: "1")
            history.merge((80, 90), "c", into: "a", takesNumber: true)
            history.signIn((100, 110), Script.number, to: "d", isNew: true)
        }
        #expect(found.isEmpty)
    }

    @Test func `a lost number moves, and the number of an absent user begins an account`() {
        let found = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.replaceNumber((20, 30), of: "a", with: Script.other)
            history.signIn((40, 50), Script.other, to: nil)
            history.signIn((60, 70), Script.number, to: "a")
            history.signIn((80, 90), Script.other, to: "a")
            history.signIn((80, 90), Script.number, to: "b", isNew: true)
            history.act(.leave, (100, 110), "b")
            history.signIn((120, 130), Script.number, to: "c", isNew: true, takesNumber: true)
            history.add((140, 150), Script.number, to: "c")
        }
        #expect(found.isEmpty)
    }

    // MARK: - Bad

    @Test func `an identity of another user is not taken`() {
        for isAdded in [true, false] {
            let found = Script.broken { history in
                history.signIn((0, 10), Script.number, to: "a", isNew: true)
                history.signIn((0, 10), Script.address, to: "b", isNew: true)
                if isAdded { history.add((20, 30), Script.number, to: "b") }
                if !isAdded { history.signIn((20, 30), Script.number, to: "b", isNew: true) }
            }
            #expect(found == [.oneUser])
        }
    }

    @Test func `an acknowledged addition is not lost`() {
        let found = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.add((20, 30), Script.address, to: "a")
            history.signIn((40, 50), Script.address, to: "b", isNew: true)
        }
        #expect(found == [.oneUser])
    }

    @Test func `a removed identity signs in to its user no more`() {
        let found = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.add((20, 30), Script.address, to: "a")
            history.remove((40, 50), Script.number, of: "a")
            history.signIn((51, 60), Script.number, to: "a")
        }
        #expect(found == [.lostIsVoid])
    }

    @Test func `nor does a number that was replaced, or an identity that nobody added`() {
        let replaced = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.add((20, 30), Script.other, to: "a")
            history.signIn((31, 40), Script.number, to: "a")
        }
        #expect(replaced == [.lostIsVoid])
        let strange = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.add((20, 30), Script.address, to: "a", .refused)
            history.signIn((31, 40), Script.address, to: "a")
        }
        #expect(strange == [.lostIsVoid])
    }

    @Test func `the last identity is not removed`() {
        for hadAnother in [true, false] {
            let found = Script.broken { history in
                history.signIn((0, 10), Script.number, to: "a", isNew: true)
                if hadAnother {
                    history.add((20, 30), Script.address, to: "a")
                    history.remove((40, 50), Script.address, of: "a")
                }
                history.remove((60, 70), Script.number, of: "a")
            }
            #expect(found == [.lastIsKept])
        }
    }

    @Test func `nobody lives whom no identity reaches at the end, nor has two of one kind`() {
        let lockedOut = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.add((20, 30), Script.address, to: "a")
            history.remove((40, 50), Script.number, of: "a")
            history.remove((41, 51), Script.address, of: "a")
            history.signIn((60, 70), Script.number, to: "b", isNew: true, isCensus: true)
            history.signIn((60, 70), Script.address, to: "c", isNew: true, isCensus: true)
            history.refresh((80, 90), "a", isCensus: true)
        }
        #expect(lockedOut == [.lastIsKept])
        let doubled = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.add((20, 0), Script.other, to: "a")
            history.signIn((60, 70), Script.number, to: "a", isCensus: true)
            history.signIn((60, 70), Script.other, to: "a", isCensus: true)
        }
        #expect(doubled == [.onePerKind])
    }

    @Test func `nothing leads to a merged user`() {
        for isSignIn in [true, false] {
            let found = Script.broken { history in
                history.signIn((0, 10), Script.number, to: "a", isNew: true)
                history.signIn((0, 10), Script.other, to: "b", isNew: true)
                history.merge((20, 30), "b", into: "a")
                if isSignIn { history.signIn((31, 40), Script.other, to: "b") }
                if !isSignIn { history.refresh((31, 40), "b") }
            }
            #expect(found.contains(.mergedIsGone))
            #expect(found.isSubset(of: [.mergedIsGone, .lostIsVoid]))
        }
    }

    @Test func `an ended session stays ended, and the one that made the change lives`() {
        let found = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true, session: "1")
            history.add((20, 30), Script.address, to: "a")
            history.signIn((32, 38), Script.number, to: "a", session: "2")
            history.remove((40, 50), Script.number, of: "a", session: "1")
            history.refresh((60, 70), "a", session: "1")
            history.refresh((60, 70), "a", session: "2")
        }
        #expect(found == [.endIsFinal])
    }

    @Test func `a number does not move after an objection, nor without the operator`() {
        let found = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.replaceNumber((20, 30), of: "a", with: Script.other)
            history.act(.object, (40, 50), "a")
            history.signIn((60, 70), Script.number, to: "a")
            history.signIn((80, 90), Script.other, to: nil)
            history.signIn((100, 110), Script.number, to: "b", isNew: true)
        }
        #expect(found == [.oneUser])
        let moved = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.replaceNumber((20, 30), of: "a", with: Script.other)
            history.act(.object, (40, 50), "a")
            history.signIn((60, 70), Script.number, to: "a")
            history.signIn((80, 90), Script.other, to: "a")
        }
        #expect(moved == [.lostIsVoid])
    }

    @Test func `the number of a user who came back begins no account`() {
        let found = Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.act(.leave, (20, 30), "a")
            history.refresh((40, 50), "a")
            history.signIn((60, 70), Script.number, to: "b", isNew: true, takesNumber: true)
        }
        #expect(found == [.oneUser])
    }

    // MARK: - Merges that wait

    /// A merge that waits until 100, and what happens then.
    private func waiting(
        _ outcome: IdentityOperation.Outcome = .accepted, _ more: (inout IdentityScript) -> Void
    ) -> Set<IdentityFinding.Invariant> {
        Script.broken { history in
            history.signIn((0, 10), Script.number, to: "a", isNew: true)
            history.signIn((0, 10), Script.address, to: "b", isNew: true)
            history.mergeLater((20, 30), "b", into: "a", due: 100, outcome)
            more(&history)
        }
    }

    @Test func `a merge that waits happens later, or not`() {
        for isMerged in [true, false] {
            let found = waiting { history in
                history.signIn((40, 50), Script.address, to: "b")
                history.signIn((101, 110), Script.address, to: isMerged ? "a" : "b")
                history.act(.objectToMerge, (120, 130), "a")
                history.signIn((140, 150), Script.address, to: isMerged ? "a" : "b")
            }
            #expect(found.isEmpty)
        }
    }

    @Test func `an objection may come too late, and others' objections count for nothing`() {
        let found = waiting { history in
            history.act(.objectToMerge, (40, 50), "c")
            history.act(.object, (60, 70), "b")
            history.act(.objectToMerge, (90, 120), "b")
            history.signIn((130, 140), Script.address, to: "a")
        }
        #expect(found.isEmpty)
    }

    @Test func `an account is not merged before its time`() {
        #expect(waiting { $0.signIn((40, 50), Script.address, to: "a") } == [.lostIsVoid])
    }

    @Test func `nor after an objection of one of both, or a refusal`() {
        for objector in ["a", "b"] {
            let found = waiting { history in
                history.act(.objectToMerge, (40, 50), objector)
                history.signIn((200, 210), Script.address, to: "a")
            }
            #expect(found == [.lostIsVoid])
        }
        #expect(waiting(.refused) { $0.signIn((200, 210), Script.address, to: "a") } == [.lostIsVoid])
    }

    @Test func `its account loses nothing to anybody else before its time`() {
        let found = waiting { $0.signIn((40, 50), Script.address, to: "c", isNew: true) }
        #expect(found == [.oneUser])
    }
}
