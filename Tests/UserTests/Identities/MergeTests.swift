import AuthAPI
import InternalAPI
import Policies
import Storage
import TestSupport
import Testing

@testable import UserCore

/// Merges of two accounts of one person.
@Suite(.timeLimit(.minutes(10))) struct MergeTests {
    private static let number = OwnIdentityFixture.number
    private static let next = VerifiedIdentity.phone("+15557654321")
    private static let email = VerifiedIdentity.email("ann@example.com")
    private static let apple = VerifiedIdentity(kind: .apple, value: "000123.a")

    /// Gives the other account values that the user's account lacks.
    private func completed(_ other: User, _ fixture: OwnIdentityFixture) async throws -> User {
        var after = other
        after.name = "Ann"
        after.attributes = UserAttributes(["isChecker": .boolean(true), "plan": .string("gold")])
        try await fixture.users.put([.update(after)], now: 1_000)
        try await fixture.users.claim("claimed@example.com", for: other.id)
        return after
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the user gets what they lack, and the other account is only a pointer`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        let other = try await completed(try await fixture.storage.signIn(Self.email, now: 1_005).user, fixture)
        let token = try await fixture.mergeToken(for: Self.email, user)
        #expect(try await fixture.merge(token, user) == AccountAnswer(.done))

        let after = try await fixture.user(user.id)
        #expect(after.phone == Self.number.value && after.email == Self.email.value && after.name == "Ann")
        #expect(after.attributes == UserAttributes(["isChecker": .boolean(true)]))
        #expect(after.version == user.version + 1 && after.epoch == user.epoch && after.role == user.role)
        let claim = try await fixture.users.facts(UserQuestion(.address("claimed@example.com"), askedAt: 1_020))
        #expect(claim.claimant?.user.id == user.id && claim.claimant?.isAlone == false)
        let list = try await fixture.own().list(SignedInUser(id: user.id, sessionID: "s-1")).answered
        #expect(list.identities.first { $0.kind == .email }?.lastUsedAt == 1_005)

        #expect(try await fixture.storage.queries.user(other.id) == nil)
        let left = try #require(try await fixture.storage.queries.merged(other.id))
        #expect(left.into == user.id && left.pseudonym == other.pseudonym && left.createdAt == other.createdAt)
        let removal = try await fixture.users.facts(UserQuestion(.user(other.id), askedAt: 1_020))
        #expect(removal.isRemoved, "an import must not make the account again")

        let ended = try #require(fixture.tokenService.revocations.last)
        #expect(ended.userID == other.id.text(prefix: UserFixture.prefix) && ended.epoch == other.epoch + 1)
        #expect(ended.sparedSession == nil && fixture.tokenService.revocations.count == 1)
        let rights = try #require(fixture.tokenService.rights.last)
        #expect(rights.claims == after.claims && rights.keepsTokens == nil)
        #expect(try await fixture.decisions(about: other) == [.merged])
        #expect(try await fixture.decisions(about: user) == [.identityAdded])
        for (account, event) in [(user, "user.merged"), (other, "user.merged_away")] {
            let request = AuditRequest(userID: nil, event: event, limit: 9)
            let records = try await fixture.storage.queries.audit(request, of: account.pseudonym).records
            #expect(records.count == 1)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the legacy id goes with the account, unless the user has one`(_ engine: DatabaseKind) async throws {
        for own in [nil, "old-7"] {
            let fixture = try await OwnIdentityFixture(engine)
            let (user, other) = (User.unstored(legacyID: own), User.unstored(legacyID: "old-9"))
            for (account, identity) in [(user, Self.number), (other, Self.email)] {
                try await fixture.users.put([.create(account), .assignIdentity(identity, to: account.id)], now: 1_000)
            }
            let token = try await fixture.mergeToken(for: Self.email, user)
            #expect(try await fixture.merge(token, user).result == .done)
            #expect(try await fixture.user(user.id).legacyID == own ?? "old-9")
            let found = try await fixture.storage.queries.find(.legacyID("old-9"))
            #expect(found?.user.id == (own == nil ? user.id : nil))
            #expect(fixture.tokenService.rights.last?.claims.legacyID == own ?? "old-9")
        }
    }

    @Test(arguments: DatabaseKind.allCases, IdentityChangePolicy.Ends.allCases)
    func `the other number replaces the user's own only on request`(
        _ engine: DatabaseKind, _ ends: IdentityChangePolicy.Ends
    ) async throws {
        for keepsOther in [false, true] {
            let fixture = try await OwnIdentityFixture(engine)
            let (user, other) = (try await fixture.storage.user(), try await fixture.storage.user(Self.next.value))
            let token = try await fixture.mergeToken(for: Self.next, user)
            let answer = try await fixture.merge(token, user, keepsOtherPhone: keepsOther, ends)
            let isLoss = keepsOther && ends != .none
            #expect(answer == AccountAnswer(.done, endsOwnSession: keepsOther && ends == .all))
            let (kept, gone) = keepsOther ? (Self.next, Self.number) : (Self.number, Self.next)
            let after = try await fixture.user(user.id)
            #expect(after.phone == kept.value && after.epoch == user.epoch + (isLoss ? 1 : 0))
            #expect(try await fixture.holder(of: kept) == user.id)
            #expect(try await fixture.holder(of: gone) == nil)
            let spared = fixture.tokenService.revocations.filter { !$0.userID.hasSuffix(other.id.text(prefix: "")) }
            #expect(spared.map(\.sparedSession) == (isLoss ? [ends == .others ? "s-1" : nil] : []))
            #expect(
                try await fixture.decisions(about: user) == (keepsOther ? [.identityLost, .identityAdded] : []))
            let forgetting = keepsOther ? user : other
            let messages = try await fixture.storage.outbox.pending(.otp, about: forgetting.id, limit: 9)
            #expect(messages.map(\.message.kind) == [.forgetNetworks])
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a token serves the session that got it, while the other account is as it was`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let (user, thief) = (try await fixture.storage.user(), try await fixture.storage.user("+15550000003"))
        let other = try await fixture.storage.user(Self.next.value)
        let token = try await fixture.mergeToken(for: Self.next, user)
        #expect(try await fixture.merge(token, user, session: "s-2").result == .mergeRefused)
        #expect(try await fixture.merge(token, thief).result == .mergeRefused)
        #expect(try await fixture.merge(token + "A", user).result == .mergeRefused)
        fixture.tokenService.setSignedIn(at: OwnIdentityFixture.now + 600)
        #expect(try await fixture.merge(token, user, secondsLater: 600).result == .mergeRefused)
        fixture.tokenService.setSignedIn(at: OwnIdentityFixture.now - 300)
        let old = MergeRequest(mergeToken: token, callID: "c")
        #expect(
            try await fixture.own().merge(old, fixture.caller(user), fixture.mergeProofs).isRefused(
                .reauthenticationRequired))
        fixture.tokenService.setSignedIn(at: OwnIdentityFixture.now)
        for change: @Sendable (inout User) -> Void in [
            { $0.epoch += 1 }, { $0.role = "admin" }, { $0.isActive = false },
            { $0.deletion = ScheduledDeletion(requestedAt: 1_000, dueAt: 90_000) },
        ] {
            var changed = other
            change(&changed)
            try await fixture.users.put([.update(changed)], now: 1_000)
            #expect(try await fixture.merge(token, user).result == .mergeRefused)
        }
        try await fixture.users.put([.update(other)], now: 1_000)
        for reviewed in [user, other] {
            try await fixture.users.put([.openReview(of: reviewed.id, since: 900)], now: 1_000)
            #expect(try await fixture.merge(token, user).result == .mergeRefused)
            try await fixture.users.put([.closeReview(of: reviewed.id)], now: 1_000)
        }
        #expect(try await fixture.storage.queries.user(other.id) == other)
        #expect(try await fixture.merge(token, user, secondsLater: 299).result == .done)
        #expect(try await fixture.merge(token, user).result == .mergeRefused)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a repeat of the refused call has the same token, and of the merge the same answer`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        _ = try await fixture.storage.user(Self.next.value)
        let add = AddIdentityRequest(proof: try fixture.proof(of: Self.next, for: user), callID: "c-1")
        let answers = [
            try await fixture.own().add(add, fixture.caller(user)).answered,
            try await fixture.own().add(add, fixture.caller(user)).answered,
        ]
        #expect(answers[0].mergeToken != nil && answers[0] == answers[1])
        let late = AddIdentityRequest(proof: add.proof, callID: "c-2")
        #expect(try await fixture.own().add(late, fixture.caller(user)).answered.result == .proofRefused)
        let merge = MergeRequest(mergeToken: try #require(answers[0].mergeToken), callID: "c-3")
        for _ in 0..<2 {
            #expect(
                try await fixture.own().merge(merge, fixture.caller(user), fixture.mergeProofs).answered
                    == AccountAnswer(.done))
        }
        #expect(try await fixture.user(user.id).version == user.version + 1)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `of two accounts that are merged into each other one stays`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let (user, other) = (try await fixture.storage.user(), try await fixture.storage.user(Self.next.value))
        let tokens = [
            try await fixture.mergeToken(for: Self.next, user), try await fixture.mergeToken(for: Self.number, other),
        ]
        let results = try await concurrently(2) { side -> AccountAnswer.Result? in
            let request = MergeRequest(mergeToken: tokens[side], callID: "c")
            let outcome = try await fixture.own().merge(
                request, fixture.caller([user, other][side]), fixture.mergeProofs)
            guard case .answer(let answer) = outcome else { return nil }
            return answer.result
        }
        #expect(results.count { $0 == .done } == 1, "\(results)")
        let left = [try await fixture.storage.queries.user(user.id), try await fixture.storage.queries.user(other.id)]
        #expect(left.count { $0 != nil } == 1)
        #expect(
            [try await fixture.holder(of: Self.number), try await fixture.holder(of: Self.next)].contains(
                left.compactMap { $0 }.first?.id))
    }

    @Test(arguments: DatabaseKind.allCases)
    func `the owners of both accounts are told, by a text message where there is no address`(
        _ engine: DatabaseKind
    ) async throws {
        for texts in [true, false] {
            var fixture = try await OwnIdentityFixture(engine)
            fixture.sendsTexts = texts
            let (user, other) = (try await fixture.storage.user(), try await fixture.storage.user(Self.next.value))
            try await fixture.users.put([.assignIdentity(Self.email, to: user.id)], now: 1_000)
            #expect(try await fixture.merge(try await fixture.mergeToken(for: Self.next, user), user).result == .done)
            #expect(try await fixture.notices(to: other).isEmpty)
            let notices = try await fixture.notices(to: user)
            #expect(notices.map(\.to) == [Self.email.value] + (texts ? [Self.next.value] : []))
            // Either one may report it.
            #expect(try await fixture.report(try #require(notices.last?.token)) == .done)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a change of the other account during the merge wins`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let (user, other) = (try await fixture.storage.user(), try await fixture.storage.user(Self.next.value))
        let token = try await fixture.mergeToken(for: Self.next, user)
        let store = InterruptedStore(fixture.users) {
            _ = try await fixture.add(Self.email, to: other)
        }
        let request = MergeRequest(mergeToken: token, callID: "c")
        let answer = try await fixture.own(over: store).merge(request, fixture.caller(user), fixture.mergeProofs)
            .answered
        #expect(answer.result == .changedMeanwhile)
        #expect(try await fixture.holder(of: Self.email) == other.id)
        #expect(try await fixture.holder(of: Self.next) == other.id)
    }

    @Test(arguments: DatabaseKind.allCases)
    func `a sign-in under way to the other account leads nowhere, and a new one to the user`(
        _ engine: DatabaseKind
    ) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let user = try await fixture.storage.user()
        for (identity, proof) in [(Self.email, "moves"), (Self.next, "goes")] {
            let other = try await fixture.storage.signIn(identity, proofID: proof).user
            let token = try await fixture.mergeToken(for: identity, user)
            #expect(try await fixture.merge(token, user).result == .done)
            #expect(try await fixture.storage.signIn(identity, proofID: proof, now: 1_020) == .refused(.used))
            let again = try await fixture.storage.signIn(identity, now: 1_020).user
            #expect((again.id == user.id) == (identity == Self.email) && again.id != other.id)
        }
    }

    @Test(arguments: DatabaseKind.allCases)
    func `accounts merged one after the other lead to the last, and go with it`(_ engine: DatabaseKind) async throws {
        let fixture = try await OwnIdentityFixture(engine)
        let first = try await fixture.storage.signIn(Self.apple).user
        let second = try await fixture.storage.signIn(Self.email).user
        #expect(try await fixture.merge(try await fixture.mergeToken(for: Self.apple, second), second).result == .done)
        let user = try await fixture.storage.user()
        let token = try await fixture.mergeToken(for: Self.email, user)
        // Apple's identity was not verified here.
        let refused = try await fixture.merge(token, user)
        #expect(refused.result == .mergeProofRequired && refused.methods == [])
        try await fixture.users.put([.endIdentity(Self.apple)], now: 1_000)
        #expect(try await fixture.merge(token, user).result == .done)
        for old in [first, second] {
            #expect(try await fixture.storage.queries.merged(old.id)?.into == user.id)
        }
        let due = try await fixture.due(try await fixture.user(user.id))
        #expect(Set(due.merged.map(\.id)) == [first.id, second.id])
        let messages = try RemovalMessages(userIDPrefix: "", seal: OutboxSeal(ring: fixture.keys.storage))
            .about(due.user, merged: due.merged, now: 1_100)
        #expect(messages.count { $0.kind == .removeUser } == 3)
        let lease = Lease(name: "job", holder: "a", lifetimeSeconds: 30)
        let outcome = try await fixture.storage.removals.remove(due, messages: [], lease: lease, now: 1_100)
        #expect(outcome == .removed)
        for old in [first, second] {
            #expect(try await fixture.storage.queries.merged(old.id) == nil)
            #expect(try await fixture.decisions(about: old).isEmpty)
        }
        #expect(
            Set(try await fixture.storage.queries.removed(behind: nil, limit: 9)) == [first.id, second.id, user.id])
    }

    @Test(arguments: DatabaseKind.allCases)
    func `whatever comes at the same time, every account has an identity, and every pointer a user`(
        _ engine: DatabaseKind
    ) async throws {
        for round in 0..<12 {
            let fixture = try await OwnIdentityFixture(engine)
            let identities = [Self.number, Self.next, Self.email]
            var users: [User] = []
            for identity in identities { users.append(try await fixture.storage.signIn(identity).user) }
            var tokens: [String] = []
            for (place, user) in users.enumerated() {
                tokens.append(try await fixture.mergeToken(for: identities[(place + 1) % 3], user))
            }
            let (all, merging) = (users, tokens)
            _ = try await concurrently(9) { task in
                let place = (task + round) % 3
                switch task / 3 {
                case 0:
                    let request = MergeRequest(
                        mergeToken: merging[place], keepsOtherPhone: round % 2 == 0 ? true : nil, callID: "c")
                    _ = try await fixture.own().merge(request, fixture.caller(all[place]), fixture.mergeProofs)
                case 1: _ = try await fixture.storage.signIn(identities[place], now: 1_020)
                default:
                    let proof = try fixture.proof(of: Self.apple, for: all[place])
                    let request = AddIdentityRequest(proof: proof, callID: "a")
                    _ = try await fixture.own().add(request, fixture.caller(all[place]))
                }
            }
            let live = try await fixture.storage.queries.page(behind: nil, limit: 99).map(\.user.id)
            for id in live {
                let facts = try await fixture.users.facts(UserQuestion(.identities(id), askedAt: 1_030))
                #expect(
                    !facts.identities.isEmpty
                        && Set(facts.identities.map(\.identity.kind)).count == facts.identities.count)
            }
            var merged = 0
            for user in all {
                guard let pointer = try await fixture.storage.queries.merged(user.id) else { continue }
                merged += 1
                #expect(live.contains(pointer.into) && !live.contains(user.id))
            }
            #expect(merged >= 1 && merged + all.count { live.contains($0.id) } == 3)
        }
    }
}
