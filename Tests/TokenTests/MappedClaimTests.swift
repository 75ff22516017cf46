import AccessTokens
import InternalAPI
import Policies
import Testing

@testable import TokenCore

/// Claims that a profile maps, from the grant to the access token.
@Suite struct MappedClaimTests {
    private static let mapped: [String: ClaimValue] = [
        "app.plan": .string("Zoë's \"pro\"\u{1}"), "app.labels": .strings(["a", "b,c"]), "app.seats": .integer(-7),
        "attributes.isChecker": .bool(true), "app.unmapped": .string("canary"),
    ]

    /// The fixture's profile with a mapping.
    private func profile() throws -> TokenProfile {
        let text = """
            issuer: test.app
            audience: test-api
            profiles:
              mobile:
                algorithm: ES256
                claims: [role]
                mappedClaims: { plan: app.plan, labels: app.labels, seats: app.seats, checks: attributes.isChecker, absent: app.absent }
            dialects: [{ name: native, profile: mobile }]
            countries: { allowed: all }
            attributes: [{ name: isChecker, type: boolean, setBy: user }]
            """
        return try #require(try Policy.parse(text, file: "test.yaml").profiles.first)
    }

    private func claims(_ mapped: [String: ClaimValue]?, version: Int64 = 3) -> UserClaims {
        UserClaims(phone: TokenFixture.phone, role: "user", version: version, mapped: mapped)
    }

    @Test func `a token has the claims that its profile maps, and no others`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        let sessions = try await replica.storage.sessions.sessions(
            ofUser: TokenFixture.user, limit: 1, now: fixture.clock.now)
        let session = try #require(sessions.first)
        let mint = AccessTokenMint(issuer: "howru.app", audience: "howru-api", keys: replica.keys)
        func additional(_ mapped: [String: ClaimValue]?) async throws -> [String: ClaimValue] {
            let token = try await mint.mint(
                session, claims: claims(mapped), profile: try profile(), expiresAt: fixture.clock.now + 60,
                now: fixture.clock.now)
            return try AccessTokenVerifier(
                issuer: "howru.app", audience: "howru-api", keys: replica.keys.current.verification
            )
            .verify(Array(token.utf8), now: fixture.clock.now).additional
        }
        #expect(
            try await additional(Self.mapped) == [
                "role": .string("user"), "plan": .string("Zoë's \"pro\"\u{1}"), "labels": .strings(["a", "b,c"]),
                "seats": .integer(-7), "checks": .bool(true),
            ])
        #expect(try await additional(nil) == ["role": .string("user")])
        // The fixture's own profile maps nothing.
        let own = try replica.claims(of: tokens.accessToken, policy: fixture.policy, now: fixture.clock.now)
        #expect(Set(own.additional.keys) == ["phone", "role", "auth_time"])
    }

    @Test func `the values are stored with the session, sealed, and a session without them is as long as before`()
        throws
    {
        let seal = ClaimsSeal(ring: try TokenFixture.ring())
        let id = SessionID.new(at: 0)
        for legacyID in [nil, "fb/1"] {
            var claims = claims(Self.mapped)
            claims.legacyID = legacyID
            let sealed = try seal.seal(claims, for: id)
            #expect(try seal.open(sealed, of: id) == claims)
            #expect(!String(decoding: sealed, as: UTF8.self).contains("canary"))
        }
        let plain = try seal.seal(claims(nil), for: id)
        var imported = claims(nil)
        imported.legacyID = "12"
        #expect(try seal.seal(imported, for: id).count == plain.count + 4)
        #expect(try seal.open(plain, of: id).mapped == nil)
    }

    @Test func `changed values refuse the tokens before them, and a refresh brings the new ones`() async throws {
        let fixture = try TokenFixture()
        let replica = try await fixture.replica()
        let tokens = try await replica.signIn(fixture)
        try await replica.parts.routes.changeRights(
            ChangeRightsRequest(userID: TokenFixture.user, claims: claims(Self.mapped, version: 4)))
        #expect(fixture.feed.publishedFloors.map(\.version) == [4])
        let refreshed = try #require(try await replica.refresh(tokens.refreshToken).tokens)
        let after = try replica.claims(of: refreshed.accessToken, policy: fixture.policy, now: fixture.clock.now)
        #expect(after.version == 4)
        let stored = try #require(
            try await replica.storage.sessions.sessions(ofUser: TokenFixture.user, limit: 1, now: fixture.clock.now)
                .first)
        let opened = try ClaimsSeal(ring: fixture.storageRing).open(stored.sealedClaims, of: stored.id)
        #expect(opened.mapped == Self.mapped)
    }
}
