import TestSupport
import Testing

/// Users of another system: pairs of histories that differ in one thing, of which the checker takes one and refuses the other.
@Suite struct MovedInRuleTests {
    private typealias Broken = Set<HistoryFinding.Invariant>

    @Test func `a user who comes again is the same one, another one breaks it`() {
        for (again, expected) in [("1", Broken()), ("2", [.movedInOnce])] {
            let found = HistoryScript.broken { history in
                history.moveIn((0, 10), ["ann": "1", "bob": "3"])
                history.moveIn((5, 0), ["bob": "9"])
                history.moveIn((20, 30), ["ann": again])
            }
            #expect(found == expected)
        }
    }

    @Test func `two users are two, also when two imports bring them at once`() {
        for (bob, expected) in [("2", Broken()), ("1", [.movedInOnce])] {
            let found = HistoryScript.broken { history in
                history.moveIn((0, 10), ["ann": "1"])
                history.moveIn((0, 10), ["bob": bob])
            }
            #expect(found == expected)
        }
    }

    @Test func `whoever is acknowledged logs in, whoever is under way may be refused`() {
        for (begin, expected) in [(10, Broken()), (11, [.nothingIsLost])] {
            let found = HistoryScript.broken { history in
                history.moveIn((0, 10), ["ann": "1"])
                history.refuseLogIn((begin, 20), user: "ann")
                history.refuseLogIn((begin, 20), user: "bob")
            }
            #expect(found == expected)
        }
    }
}
