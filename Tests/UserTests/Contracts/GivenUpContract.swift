import InternalAPI
import Policies
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The promises of every engine about identities whose account was removed.
@Suite struct GivenUpContract {
    private static let identities = [
        VerifiedIdentity(kind: .apple, value: "000123.a"), VerifiedIdentity(kind: .oidc, value: "acme:7"),
        VerifiedIdentity(kind: .oidc, value: "acme:8"),
    ]

    @Test(arguments: DatabaseKind.allCases)
    func `a removal notes the user's identities, and tokens from before are refused for a day`(
        _ engine: DatabaseKind
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let givenUp = GivenUpIdentities(tags: CallTags(ring: try UserFixture.ring()))
        let user = try await storage.signIn(Self.identities[0]).user
        try await storage.users.put(Self.identities[1...].map { .assignIdentity($0, to: user.id) }, now: 1_000)
        let scheduled = try await storage.giveUp(user, dueAt: 1_100, now: 1_050)
        let due = try #require(try await storage.removals.due(limit: 9, now: 1_100).first)
        #expect(due.user == scheduled && Set(due.identitiesAtProviders) == Set(Self.identities))
        let notes = givenUp.notes(due.identitiesAtProviders, givenUpAt: 1_050, now: 1_100)
        let lease = Lease(name: "job", holder: "a", lifetimeSeconds: 30)
        #expect(
            try await storage.removals.remove(due, messages: [], notes: notes, lease: lease, now: 1_100) == .removed)
        for identity in Self.identities {
            let now = 1_050 + IdentityTokenRule.ageSecondsMax
            let facts = try await facts(storage, identity, givenUp, now - 1)
            #expect(facts.holder == nil)
            #expect(facts.isGivenUp(since: PresentedToken(call: [1], issuedAt: 1_049)))
            #expect(!facts.isGivenUp(since: PresentedToken(call: [1], issuedAt: 1_050)))
            let early = PresentedToken(call: [1], issuedAt: 1_049)
            let outcome = try await storage.signIn(identity, token: early, call: givenUp.tag(of: identity), now: 1_200)
            #expect(outcome == .refused(.tokenUsed))
            #expect(try await !self.facts(storage, identity, givenUp, now).isGivenUp(since: early))
        }
    }

    private func facts(
        _ storage: StorageReplica, _ identity: VerifiedIdentity, _ givenUp: GivenUpIdentities, _ now: Int64
    ) async throws -> UserFacts {
        try await storage.users.facts(
            UserQuestion(.identity(identity), proofID: "p", call: givenUp.tag(of: identity), askedAt: now))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a removal that does not take place notes nothing`(_ engine: DatabaseKind) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let givenUp = GivenUpIdentities(tags: CallTags(ring: try UserFixture.ring()))
        let user = try await storage.signIn(Self.identities[0]).user
        let scheduled = try await storage.giveUp(user, dueAt: 1_100)
        let due = try #require(try await storage.removals.due(limit: 9, now: 1_100).first)
        #expect(
            try await storage.users.change(scheduled, to: scheduled.restored(at: 1_090), now: 1_090) == .applied)
        let notes = givenUp.notes(due.identitiesAtProviders, givenUpAt: 1_000, now: 1_100)
        let lease = Lease(name: "job", holder: "a", lifetimeSeconds: 30)
        #expect(try await storage.removals.remove(due, messages: [], notes: notes, lease: lease, now: 1_100) == .notDue)
        #expect(try await facts(storage, Self.identities[0], givenUp, 1_100).firstAnswer == nil)
    }
}
