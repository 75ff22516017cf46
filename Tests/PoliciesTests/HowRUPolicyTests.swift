import AuthAPI
import FoundationEssentials
import Policies
import Testing

@Suite struct HowRUPolicyTests {
    let policy: Policy

    init() throws {
        policy = try Policy.load(named: "howru", directory: PolicyText.policiesDirectory())
    }

    @Test func `codes are those of the document's sections 2, 5 and 6`() {
        #expect(policy.otp.length == 6)
        #expect(policy.otp.lifetimeSeconds == 300)
        #expect(policy.otp.sendsPerRecipient == [RateLimit(max: 3, windowSeconds: 3_600)])
        #expect(policy.otp.attemptsPerRecipient == [RateLimit(max: 5, windowSeconds: 3_600)])
        #expect(
            policy.otp.lockouts == [
                Lockout(failures: 5, withinSeconds: 3_600, lockSeconds: 3_600),
                Lockout(failures: 10, withinSeconds: 86_400, lockSeconds: 86_400),
            ])
        #expect(policy.otp.messageTemplate == "Your HowRU code is {code}")
        #expect(policy.otp.fixedCode == nil)
    }

    @Test func `tokens are those of the document's section 4`() throws {
        #expect(policy.issuer == "howru.app" && policy.audience == "howru-api")
        #expect(policy.userIDPrefix == "usr_")
        let profile = try #require(policy.profile(forDialect: "native"))
        #expect(profile.algorithm == "RS256")
        #expect(profile.accessLifetimeSeconds == 3_600)
        #expect(profile.claims == ["phone", "role"])
        #expect(profile.refresh.prefix == "rt_")
        #expect(profile.refresh.idleLifetimeSeconds == 2_592_000)
        #expect(profile.refresh.absoluteLifetimeSeconds == nil)
        #expect(profile.refresh.sliding && profile.refresh.onReuse == .revoke)
        #expect(profile.refresh.repeatWithoutKeySeconds == 60)
        #expect(profile.refresh.limit == RateLimit(max: 10, windowSeconds: 60))
        #expect(policy.profile(forDialect: "gremlin") == nil)
    }

    @Test func `users have isChecker, which they set themselves, as in the document's section 3`() {
        #expect(
            policy.attributes == [
                AttributePolicy(name: "isChecker", kind: .boolean, setBy: .user, defaultValue: .boolean(false))
            ])
    }

    @Test func `the app's API is behind a bearer token`() throws {
        let route = try #require(policy.routes.first)
        #expect(policy.routes.count == 1)
        #expect(route.path == "/api/**" && route.upstream == "app" && route.access == .bearer)
        #expect(policy.upstreams == ["app": Upstream()])
        #expect(policy.defaultRegion == "US")
        #expect(policy.trustedProxies.isEmpty)
    }

    @Test(arguments: DeploymentEnvironment.allCases)
    func `it may run everywhere`(_ environment: DeploymentEnvironment) {
        #expect(policy.problems(in: environment).isEmpty)
    }
}
