import Policies
import Testing

/// The rules for new users.
@Suite struct AccountPolicyTests {
    private static func text(_ registration: String, email: String) -> String {
        PolicyText.minimal
            + "accounts: { registration: \(registration), newUsers: { phone: invited, email: \(email) } }\n"
    }

    @Test func `where addresses are for the invited nobody registers by himself`() {
        let findings = PolicyText.findings(Self.text("open", email: "invited"))
        #expect(
            findings.map { $0.contains("accounts.registration: open does not go with newUsers.email: invited") } == [
                true
            ], "\(findings)")
    }

    @Test(arguments: [("closed", "invited"), ("open", "open"), ("closed", "open")])
    func `any other pair is a policy`(registration: String, email: String) throws {
        let accounts = try PolicyText.parse(Self.text(registration, email: email)).accounts
        #expect(accounts.registration.rawValue == registration && accounts.newUsers.email.rawValue == email)
        #expect(accounts.newUsers.phone == .invited)
    }
}
