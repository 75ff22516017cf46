import InternalAPI
import Storage
import TestSupport
import Testing

@testable import UserCore

/// The security decisions that changes leave on both engines: for each kind of change, those that a restore must repeat.
@Suite struct DecisionContract {
    private static let number = VerifiedIdentity.phone("+15551234567")
    private static let other = VerifiedIdentity.phone("+15557654321")
    private static let email = VerifiedIdentity.email("ann@example.com")

    /// The users and the invitation of a test.
    struct Scene: Sendable {
        let user, other: User
        let invitation: Invitation

        func changed(_ change: (inout User) -> Void) -> User {
            var after = user
            change(&after)
            return after
        }
    }

    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let before: @Sendable (Scene) -> [UserChange]
        let changes: @Sendable (Scene) -> [UserChange]
        let decisions: @Sendable (Scene) -> [String]

        init(
            _ description: String, before: @escaping @Sendable (Scene) -> [UserChange] = { _ in [] },
            _ changes: @escaping @Sendable (Scene) -> [UserChange], _ decisions: @escaping @Sendable (Scene) -> [String]
        ) {
            (testDescription, self.before, self.changes, self.decisions) = (description, before, changes, decisions)
        }
    }

    private static let users = [
        Step("a user comes", { _ in [.create(.unstored())] }, { _ in [] }),
        Step("a name changes", { [.update($0.changed { $0.name = "Ann" })] }, { _ in [] }),
        Step(
            "a user is deactivated", { [.update($0.changed { $0.isActive = false })] }, { _ in ["deactivated user -"] }),
        Step(
            "a user is reactivated", before: { [.update($0.changed { $0.isActive = false })] }, { [.update($0.user)] },
            { _ in ["reactivated user -"] }),
        Step(
            "a role changes, and changes back at once",
            { [.update($0.changed { $0.role = "admin" }), .update($0.user)] },
            { _ in ["role_lost user user", "role_given user admin", "role_lost user admin", "role_given user user"] }),
        Step(
            "a deletion is requested", { [.update($0.scheduled(at: 2_000))] },
            { _ in ["deletion_requested user 1000/2000"] }),
        Step(
            "a deletion is put off", before: { [.update($0.scheduled(at: 2_000))] },
            { [.update($0.scheduled(at: 3_000))] },
            { _ in ["deletion_requested user 1000/3000"] }),
        Step(
            "a deletion is withdrawn", before: { [.update($0.scheduled(at: 2_000))] }, { [.update($0.user)] },
            { _ in ["deletion_withdrawn user -"] }),
        Step(
            "a first password", { [.setPassword(StoredPassword(hash: "a", version: 1), of: $0.user.id)] }, { _ in [] }),
        Step(
            "a better hash of a password",
            before: { [.setPassword(StoredPassword(hash: "a", version: 1), of: $0.user.id)] },
            { [.setPassword(StoredPassword(hash: "b", version: 1), of: $0.user.id)] }, { _ in [] }),
        Step(
            "another password", before: { [.setPassword(StoredPassword(hash: "a", version: 1), of: $0.user.id)] },
            { [.setPassword(StoredPassword(hash: "b", version: 2), of: $0.user.id)] },
            { _ in ["password_changed user -"] }),
        Step(
            "a password goes", before: { [.setPassword(StoredPassword(hash: "a", version: 1), of: $0.user.id)] },
            { [.removePassword(of: $0.user.id)] }, { _ in ["password_changed user -"] }),
        Step(
            "a user is merged", { [.merge($0.other, into: $0.user.id)] },
            { ["merged other \($0.user.id.text(prefix: ""))"] }),
        Step("a review opens", { [.openReview(of: $0.user.id, since: 900)] }, { _ in ["review_opened user 900"] }),
        Step(
            "a review ends", before: { [.openReview(of: $0.user.id, since: 900)] }, { [.closeReview(of: $0.user.id)] },
            { _ in ["review_cleared user -"] }),
        Step("no password goes", { [.removePassword(of: $0.user.id)] }, { _ in [] }),
    ]

    private static let identities = [
        Step(
            "an identity that is noted",
            { [.assignIdentity(email, to: $0.user.id), .noteAdded(email, sealed: "S", to: $0.user.id)] },
            { _ in ["identity_added user email/1500/S"] }),
        Step("a first identity of a kind", { [.assignIdentity(email, to: $0.user.id)] }, { _ in [] }),
        Step("an identity that the user has", { [.assignIdentity(number, to: $0.user.id)] }, { _ in [] }),
        Step(
            "another user's identity", { [.assignIdentity(other, to: $0.user.id)] },
            { _ in ["identity_lost other phone/1000"] }),
        Step("an identity goes", { _ in [.endIdentity(number)] }, { _ in ["identity_lost user phone/1000"] }),
        Step("no identity goes", { _ in [.endIdentity(email)] }, { _ in [] }),
        Step("a number is renamed", { _ in [.renameIdentity(number, to: .phone("+15550000000"))] }, { _ in [] }),
        Step(
            "tokens are refused, uses noted", { _ in [.refuseTokens(of: number, before: 9), .noteUse(number, at: 9)] },
            { _ in [] }),
        Step(
            "claims and registrations",
            {
                [
                    .claim(email, by: $0.user.id), .endClaim(email), .endClaims(of: $0.user.id),
                    .endRegistrations(address: email.value),
                ]
            },
            { _ in [] }),
        Step("an invitation", { [.addInvitation($0.invitation)] }, { _ in [] }),
        Step(
            "another invitation", before: { [.addInvitation($0.invitation)] },
            { [.addInvitation($0.invitation.renewed)] }, { _ in ["invitation_ended invitation -"] }),
        Step(
            "an invitation ends", before: { [.addInvitation($0.invitation)] }, { [.endInvitation($0.invitation)] },
            { _ in ["invitation_ended invitation -"] }),
        Step(
            "an invitation is renamed", before: { [.addInvitation($0.invitation)] },
            { [.renameInvitation($0.invitation, to: .email("bob@example.com"))] }, { _ in [] }),
        Step("an invitation that is gone ends", { [.endInvitation($0.invitation)] }, { _ in [] }),
    ]

    @Test(arguments: DatabaseKind.allCases, users + identities)
    func `a change leaves the decisions that a restore must repeat, in their order`(
        _ engine: DatabaseKind, _ step: Step
    ) async throws {
        let storage = try await StorageUnderTest(engine).replica()
        let scene = Scene(
            user: try await storage.user(), other: try await storage.user("+15557654321"),
            invitation: Invitation(id: .new(), identity: Self.email, role: "user", expiresAt: 9_000))
        try await storage.users.put(step.before(scene), now: 1_000)
        let earlier = try await storage.queries.decisions(after: 0, limit: 99)
        try await storage.users.put(step.changes(scene), now: 1_500)
        let decisions = try await storage.queries.decisions(after: 0, limit: 99)
        let names = [scene.user.id: "user", scene.other.id: "other", scene.invitation.id: "invitation"]
        let made = decisions.dropFirst(earlier.count)
        #expect(
            made.map { "\($0.kind.rawValue) \(names[$0.subject] ?? "?") \($0.detail ?? "-")" } == step.decisions(scene))
        #expect(decisions.map(\.sequence) == (0..<Int64(decisions.count)).map { $0 + 1 })
        #expect(made.allSatisfy { $0.at == 1_500 })
    }

    @Test(arguments: DatabaseKind.allCases)
    func `decisions become visible in their order`(_ engine: DatabaseKind) async throws {
        let under = try await StorageUnderTest(engine)
        let replicas = [try under.replica(), try under.replica()]
        var users: [User] = []
        for number in 0..<8 { users.append(try await replicas[0].user("+1555000000\(number)")) }
        let all = users
        async let seen: [Int64] = {
            var seen: [Int64] = []
            while seen.count < all.count {
                seen += try await replicas[0].queries.decisions(after: seen.last ?? 0, limit: 99).map(\.sequence)
            }
            return seen
        }()
        _ = try await concurrently(all.count) { number in
            var after = all[number]
            after.isActive = false
            try await replicas[number % 2].users.put([.update(after)], now: 1_000)
        }
        #expect(try await seen == (1...Int64(all.count)).map { $0 })
    }
}

extension DecisionContract.Scene {
    fileprivate func scheduled(at dueAt: Int64) -> User {
        changed { $0.deletion = ScheduledDeletion(requestedAt: 1_000, dueAt: dueAt) }
    }
}

extension Invitation {
    fileprivate var renewed: Invitation {
        Invitation(id: .new(), identity: identity, role: role, expiresAt: expiresAt)
    }
}
