import Policies
import Testing

@testable import AccessTokens
@testable import GatewayCore

/// Routes that ask for a level, a passkey or a recent proof, judged by the token alone.
@Suite struct RequiredAuthenticationTests {
    private static let now: Int64 = 1_800_000_000

    /// The identity of a token with these claims.
    private func token(_ claims: [String: ClaimValue]) -> TokenIdentity {
        TokenIdentity(
            VerifiedAccessToken(
                claims: AccessTokenClaims(
                    issuer: "i", audience: ["a"], subject: "usr_1", issuedAt: Self.now, expiresAt: Self.now + 60,
                    tokenID: "t", sessionID: "s", version: 1, additional: claims),
                keyID: "k", acceptedUntil: Self.now + 60))
    }

    private func reason(
        _ needed: RequiredAuthentication?, _ claims: [String: ClaimValue]
    ) -> EdgeVerdict.Rejection? {
        needed?.refusal(of: token(claims), now: Self.now)?.0
    }

    @Test(
        arguments: [
            .string("aal1"), .string("AAL2"), .string("aal22"), .string(""), .integer(2), .bool(true),
            .strings(["aal2"]), nil,
        ] as [ClaimValue?])
    func `only the claim aal2 is enough for a level`(_ claim: ClaimValue?) {
        let needed = RequiredAuthentication(level: .aal2)
        #expect(reason(needed, claim.map { ["acr": $0] } ?? [:]) == .authenticationLevel)
        #expect(reason(needed, ["acr": .string("aal2")]) == nil)
        // `amr` does not replace `acr`.
        #expect(reason(needed, ["amr": .strings(["pop", "user", "mfa"])]) == .authenticationLevel)
    }

    @Test(
        arguments: [
            .strings(["sms", "otp", "mfa"]), .strings(["restore"]), .strings([]), .strings(["POP"]), .string("pop"),
            nil,
        ] as [ClaimValue?])
    func `only a passkey is enough where one is needed`(_ claim: ClaimValue?) {
        let needed = RequiredAuthentication(method: .pop)
        var claims: [String: ClaimValue] = ["acr": .string("aal2")]
        claims["amr"] = claim
        #expect(reason(needed, claims) == .authenticationLevel)
        #expect(reason(needed, ["amr": .strings(["sms", "pop"])]) == nil)
    }

    @Test(
        arguments: [
            (-301, false), (-300, true), (0, true), (60, true), (61, false), (31_536_000, false),
        ] as [(Int64, Bool)])
    func `a time is recent up to the age, and not from the future`(_ offset: Int64, isRecent: Bool) {
        let needed = RequiredAuthentication(maxAgeSeconds: 300)
        let found = reason(needed, ["auth_time": .integer(Self.now + offset)])
        #expect(found == (isRecent ? nil : .authenticationAge))
        #expect(reason(needed, ["auth_time": .integer(.max)]) == .authenticationAge)
        #expect(reason(needed, ["auth_time": .integer(.min)]) == .authenticationAge)
        #expect(reason(needed, [:]) == .authenticationAge)
    }

    @Test(
        arguments: [
            (RequiredAuthentication(level: .aal2), #", acr_values="aal2""#),
            (RequiredAuthentication(maxAgeSeconds: 300), #", max_age="300""#),
            (RequiredAuthentication(maxAgeSeconds: 300, level: .aal2), #", acr_values="aal2", max_age="300""#),
            (RequiredAuthentication(method: .pop), ""),
        ])
    func `the challenge names all that a step-up has to bring`(_ needed: RequiredAuthentication, _ rest: String) {
        #expect(needed.challenge == #"Bearer error="insufficient_user_authentication""# + rest)
        let (_, challenge) = needed.refusal(of: token([:]), now: Self.now) ?? (.invalid, RequiredAuthentication())
        #expect(challenge == needed)
    }

    private func route(_ access: Policies.Route.Access) throws -> Policies.Route {
        Policies.Route(pattern: try #require(RoutePattern("/a")), upstream: "app", access: access)
    }

    @Test func `a route without these keys needs nothing`() throws {
        for access in [Policies.Route.Access.open, .optional, .bearer, .client, .role(["admin"])] {
            #expect(RequiredAuthentication(try route(access), nil) == nil)
        }
        var both = try route(.bearer)
        (both.acr, both.amr) = (.aal2, .pop)
        #expect(RequiredAuthentication(both, nil) == RequiredAuthentication(level: .aal2, method: .pop))
    }

    @Test func `a role that needs a second factor has its routes at aal2 only`() throws {
        var mfa = SecondFactorPolicy()
        mfa.requiredForRoles = ["admin", "finance"]
        #expect(RequiredAuthentication(try route(.role(["support"])), mfa) == nil)
        #expect(RequiredAuthentication(try route(.bearer), mfa) == nil)
        let needed = RequiredAuthentication(try route(.role(["admin", "support"])), mfa)
        let refused = try #require(needed?.refusal(of: token(["role": .string("admin")]), now: Self.now))
        #expect(refused.0 == .authenticationLevel && refused.1.level == .aal2)
        #expect(reason(needed, ["role": .string("admin"), "acr": .string("aal2")]) == nil)
        #expect(reason(needed, ["role": .string("support")]) == nil)
    }
}
