import TestSupport
import Testing

/// Passkeys and codes of second factors: pairs of histories that differ in one thing, of which the checker takes one and refuses the
/// other.
@Suite struct PasskeyRuleTests {
    private typealias Broken = Set<IdentityFinding.Invariant>

    /// A user with a passkey, which is removed from 40 to 50.
    private func removing(
        _ outcome: IdentityOperation.Outcome = .accepted, _ more: (inout IdentityScript) -> Void
    ) -> Broken {
        IdentityScript.broken { history in
            history.signIn((0, 10), IdentityScript.number, to: "a", isNew: true, session: "1")
            history.passkey(.addPasskey, (20, 30), "p", of: "a")
            history.signIn((32, 38), by: "p", to: "a", session: "2")
            history.passkey(.removePasskey, (40, 50), "p", of: "a", outcome)
            more(&history)
        }
    }

    @Test func `a removed passkey does not sign in once its removal is acknowledged`() {
        #expect(removing { $0.signIn((51, 60), by: "p", to: nil) }.isEmpty)
        #expect(removing { $0.signIn((51, 60), by: "p", to: "a") } == [.removedIsVoid])
    }

    @Test func `a sign-in at the time of the removal, or after one that was refused, is good`() {
        #expect(removing { $0.signIn((49, 60), by: "p", to: "a") }.isEmpty)
        #expect(removing(.refused) { $0.signIn((51, 60), by: "p", to: "a") }.isEmpty)
        #expect(removing(.unknown) { $0.signIn((51, 60), by: "p", to: "a") }.isEmpty)
    }

    @Test func `the removal ends the sessions that the passkey opened, and no others`() {
        for (session, expected) in [("1", Broken()), ("2", [.endIsFinal])] {
            #expect(removing { $0.refresh((51, 60), "a", session: session) } == expected)
            #expect(removing { $0.refresh((51, 60), "a", session: session, .refused) }.isEmpty)
        }
    }

    @Test func `a passkey signs in to its user only`() {
        for (user, expected) in [("a", Broken()), ("b", [.passkeyIsOwn])] {
            let found = IdentityScript.broken { history in
                history.passkey(.addPasskey, (20, 0), "p", of: "a")
                history.passkey(.addPasskey, (20, 30), "q", of: "b")
                history.signIn((40, 50), by: "p", to: user)
            }
            #expect(found == expected)
        }
    }

    @Test func `one assertion opens one session`() {
        for (assertion, expected) in [("2", Broken()), ("1", [.servesOnce])] {
            let found = removing(.refused) { history in
                history.signIn((60, 70), by: "p", to: "a", session: "3", assertion: "1")
                history.signIn((61, 71), by: "p", to: nil, assertion: "1")
                history.signIn((62, 72), by: "p", to: "a", session: "4", assertion: assertion)
            }
            #expect(found == expected)
        }
    }

    @Test(arguments: ["123456", "0123-4567-89AB-CDEF"])
    func `a one-time password and a recovery code serve once`(code: String) {
        for last in ["another", code] {
            let expected: Broken = last == code ? [.servesOnce] : []
            let found = IdentityScript.broken { history in
                history.useCode((0, 10), code, by: "a")
                history.useCode((1, 11), code, by: "a", .refused)
                history.useCode((12, 0), code, by: "a")
                history.useCode((20, 30), last, by: "a")
            }
            #expect(found == expected)
        }
    }
}
