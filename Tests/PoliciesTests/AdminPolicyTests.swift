import Policies
import Testing

/// The section `admin`.
@Suite struct AdminPolicyTests {
    private static func policy(_ section: String) throws -> Policy {
        try PolicyText.parse(PolicyText.minimal + "admin: \(section)\n")
    }

    @Test func `without the section the API is off`() throws {
        let admin = try PolicyText.parse(PolicyText.minimal).admin
        #expect(!admin.api && admin.addresses.isEmpty && admin.withinSeconds == 300)
        #expect(try Self.policy("{ addresses: [10.0.0.0/8] }").admin.api == false)
    }

    @Test(arguments: [
        ("{ api: true }", true), ("{ api: true, addresses: [192.0.2.7, \"2001:db8::/32\"] }", true),
        ("{ api: true, withinSeconds: 60, limit: { max: 10, windowSeconds: 60 } }", true),
        ("{ api: true, actAs: { role: support } }", true), ("{ actAs: { role: support } }", false),
        ("{ api: true, actAs: { role: admin } }", false), ("{ api: true, actAs: { role: user } }", false),
        ("{ api: true, actAs: {} }", false), ("{ api: true, actAs: { role: \"a b\" } }", false),
        ("{ api: true, actAs: support }", false), ("{ api: true, actAs: none }", false),
        ("{ api: 1 }", false), ("{ addresses: [office] }", false), ("{ addresses: [10.0.0.1/8] }", false),
        ("{ addresses: 10.0.0.0/8 }", false), ("{ withinSeconds: 59 }", false), ("{ limit: { max: 10 } }", false),
        ("{ limit: none }", false), ("{ console: 1 }", false), ("{ api: true, console: true }", true),
    ])
    func `a section is allowed or not`(_ section: String, _ isAllowed: Bool) {
        let findings = PolicyText.findings(PolicyText.minimal + "admin: \(section)\n")
        #expect(findings.isEmpty == isAllowed, "\(findings)")
    }

    @Test(arguments: [
        ("10.1.2.3", true), ("192.0.2.7", true), ("2001:db8:1::5", true), ("192.0.2.8", false), ("11.0.0.1", false),
        ("2001:db9::1", false), ("unix", false), ("", false),
    ])
    func `only listed addresses are admitted`(_ address: String, _ isAdmitted: Bool) throws {
        let admin = try Self.policy("{ api: true, addresses: [10.0.0.0/8, 192.0.2.7, \"2001:db8::/32\"] }").admin
        let proxies = try ["203.0.113.0/24", "10.9.0.0/16"].map { try #require(CIDR($0)) }
        #expect(admin.admits(address, trustedProxies: proxies) == isAdmitted)
        #expect(AdminPolicy().admits(address, trustedProxies: proxies))
        for proxy in ["10.9.0.1", "203.0.113.1"] {
            #expect(!admin.admits(proxy, trustedProxies: proxies))
            #expect(admin.admits(proxy, trustedProxies: []) == (proxy == "10.9.0.1"))
        }
    }

    @Test func `the console needs the API, and is off otherwise`() throws {
        func problems(_ section: String) throws -> [String] { try Self.policy(section).problems(in: .development) }
        #expect(try !PolicyText.parse(PolicyText.minimal).admin.console)
        #expect(try problems("{ console: true }").contains { $0.contains("admin.console") })
        #expect(try problems("{ api: true, console: true }").isEmpty && problems("{ api: true }").isEmpty)
    }

    @Test func `production warns of an API that every address reaches`() throws {
        func warns(_ section: String) throws -> Bool {
            try Self.policy(section).cautions(in: .production).contains { $0.contains("admin.addresses") }
        }
        #expect(try warns("{ api: true }"))
        #expect(try !warns("{ api: true, addresses: [10.0.0.0/8] }") && !warns("{ api: false }"))
        for (proxies, isWarned) in [
            ("10.9.0.0/16", true), ("0.0.0.0/0", true), ("10.0.0.1", true), ("172.16.0.0/12", false),
        ] {
            #expect(try warns("{ api: true, addresses: [10.0.0.0/8] }\ntrustedProxies: [\(proxies)]") == isWarned)
        }
    }
}
