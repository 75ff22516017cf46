import Policies
import Testing

/// The policies of voltyks, gremlin and uta have the numbers of their documents.
@Suite struct DocumentPolicyTests {
    private static func load(_ name: String) throws -> (policy: Policy, profile: TokenProfile) {
        let policy = try Policy.load(named: name, directory: PolicyText.policiesDirectory())
        return (policy, try #require(policy.profile(forDialect: name)))
    }

    @Test func `voltyks: HS256 for half an hour, seven days that each use begins anew, and a used token fails alone`()
        throws
    {
        let (_, profile) = try Self.load("voltyks")
        #expect(profile.algorithm == "HS256" && profile.accessLifetimeSeconds == 1_800)
        #expect(profile.refresh.idleLifetimeSeconds == 604_800 && profile.refresh.absoluteLifetimeSeconds == nil)
        #expect(profile.refresh.sliding && profile.refresh.onReuse == .refuse)
        #expect(profile.refresh.repeatWithoutKeySeconds == 0)
    }

    @Test func `gremlin: RS256 for an hour, thirty days`() throws {
        let (_, profile) = try Self.load("gremlin")
        #expect(profile.algorithm == "RS256" && profile.accessLifetimeSeconds == 3_600)
        #expect(profile.refresh.idleLifetimeSeconds == 2_592_000 && profile.refresh.absoluteLifetimeSeconds == nil)
        #expect(profile.refresh.onReuse == .revoke && profile.refresh.repeatWithoutKeySeconds == 60)
    }

    @Test func `uta: RS256 for half an hour, idle seven days and thirty at most, a new password ends the others`()
        throws
    {
        let (policy, profile) = try Self.load("uta")
        #expect(profile.algorithm == "RS256" && profile.accessLifetimeSeconds == 1_800)
        #expect(
            profile.refresh.idleLifetimeSeconds == 604_800 && profile.refresh.absoluteLifetimeSeconds == 2_592_000)
        #expect(profile.refresh.onReuse == .revoke && profile.refresh.repeatWithoutKeySeconds == 60)
        #expect(policy.passwordChange.ends == .others && policy.confirmsByLink)
    }

    @Test(arguments: ["voltyks", "gremlin", "uta"])
    func `each stands before native, with passwords, without codes and without a limit of refreshes`(
        name: String
    ) throws {
        let (policy, profile) = try Self.load(name)
        #expect(policy.dialects.map(\.name) == [name, Dialect.native])
        #expect(profile.claims == ["email", "role"] && profile.refresh.limit == nil && profile.refresh.prefix.isEmpty)
        #expect(policy.profile(forDialect: Dialect.native) == profile)
        #expect(!policy.sendsCodes && policy.passwords != nil && policy.accounts.registration == .open)
        #expect(policy.confirmsByLink == (name == Dialect.uta))
        #expect(DeploymentEnvironment.allCases.allSatisfy { policy.problems(in: $0).isEmpty })
        #expect(policy.cautions(in: .production).allSatisfy { $0.contains("an example's") })
        _ = try MessageCatalog.load(policy, directory: PolicyText.policiesDirectory())
    }
}
