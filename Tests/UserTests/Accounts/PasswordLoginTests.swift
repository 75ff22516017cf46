import CryptoPrimitives
import InternalAPI
import Passwords
import Policies
import RedisClient
import Storage
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

/// The proof by a password, its responses, and when the proof is void.
@Suite(.timeLimit(.minutes(5)), .accounts) struct PasswordLoginTests {
    private let accounts: AccountFixture
    private let address = AccountFixture.address

    init() throws { accounts = try AccountFixture.ofTest }

    @Test func `unknown, unconfirmed, without a password and wrong are one answer`() async throws {
        _ = try await accounts.user()
        _ = try await accounts.register("new@example.com")
        _ = try await accounts.users.signedIn(VerifiedIdentity(kind: .email, value: "mail@example.com"))
        let wrong = [
            try await accounts.prove(AccountFixture.other), try await accounts.prove(at: "nobody@example.com"),
            try await accounts.prove(at: "new@example.com"), try await accounts.prove(at: "mail@example.com"),
            try await accounts.prove(String(repeating: "a", count: 10_000)), try await accounts.prove(""),
        ]
        #expect(wrong == Array(repeating: AccountAnswer(.invalidCredentials), count: 6))
        #expect(try await accounts.prove().result == .proved)
    }

    @Test func `a repeat of a login has the same proof, and after a minute the key begins another one`() async throws {
        _ = try await accounts.user()
        let call = AccountFixture.newCall()
        let first = try await accounts.prove(call: call)
        accounts.users.clock.advance(seconds: 59)
        // Only the first call gets the grant: a repeat has the proof resolved.
        #expect(first.resolved != nil)
        #expect(try await accounts.prove(call: call) == AccountAnswer(.proved, proof: first.proof))
        // Another body is another call; the key is not enough to get a proof.
        #expect(try await accounts.prove(AccountFixture.other, call: call).result == .invalidCredentials)
        let granted = try await accounts.resolve(first.proof).answered
        accounts.users.clock.advance(seconds: 1)
        guard case .refused(.attestationRefused, _) = try await accounts.resolve(first.proof) else {
            Issue.record("an old proof opens")
            return
        }
        let second = try await accounts.prove(call: call)
        #expect(second.result == .proved && second != first)
        let again = try await accounts.resolve(second.proof).answered
        #expect(granted.user == again.user && granted.grant != again.grant)
    }

    @Test func `of a login without a key nothing is kept, and its proof is as good`() async throws {
        let user = try await accounts.user()
        let before = try await accounts.users.count("first_answers")
        let proofs = [try await accounts.prove(call: nil), try await accounts.prove(call: nil)].map(\.proof)
        #expect(try await accounts.users.count("first_answers") == before && proofs[0] != proofs[1])
        for proof in proofs {
            _ = try await accounts.resolve(proof).answered
        }
        // Changed since: what it proves is void.
        let changed = try await accounts.change(user, to: "an other bench in a park")
        #expect(changed == .answer(AccountAnswer(.done)))
        guard case .refused(.attestationRefused, _) = try await accounts.resolve(proofs[0]) else {
            Issue.record("the proof of an old password opens")
            return
        }
    }

    @Test func `a wrong password without a key counts as one with it does`() async throws {
        _ = try await accounts.user()
        var results: [AccountAnswer.Result] = []
        for _ in 0..<12 { results.append(try await accounts.prove(AccountFixture.other, call: nil).result) }
        #expect(results.first == .invalidCredentials && results.last == .rateLimited)
    }

    @Test func `a proof resolved many times gives one grant, by the method of passwords`() async throws {
        _ = try await accounts.user()
        let proof = try await accounts.prove().proof
        let grants = try await concurrently(20) { _ in
            try accounts.users.grant(try await accounts.resolve(proof).answered)
        }
        #expect(Set(grants.map(\.id)).count == 1)
        #expect(grants.allSatisfy { $0.method == "password" && $0.claims.email == address && !$0.isNewUser })
    }

    @Test func `a proof that is forged, altered, or sealed by another key or as another kind opens nothing`()
        async throws
    {
        let user = try await accounts.user()
        let call = CallTag(bytes: SecureRandom.bytes(CallTag.byteCount))
        let version = try #require(try await accounts.parts.act.facts(.account(user.id), nil).password?.version)
        let statement = OwnProof(
            call, address: address, user: try #require(try await accounts.users.store.user(user.id)),
            passwordVersion: version, now: accounts.users.clock.seconds)
        let good = try statement.sealed(with: accounts.parts.proofKeys)
        let foreign = [
            try statement.sealed(with: accounts.users.attestationKeys),
            try statement.sealed(with: accounts.users.storageKeys),
            try statement.sealed(with: accounts.users.grantKeys), String(good.dropLast()) + "A", "",
        ]
        for text in foreign where text != good {
            guard case .refused(.attestationRefused, _) = try await accounts.resolve(text) else {
                Issue.record("\(text) opens")
                continue
            }
        }
        _ = try await accounts.resolve(good).answered
    }

    @Test func `once the password has changed, its proof is void, before and after it has served`() async throws {
        let user = try await accounts.user()
        let (unused, used) = (try await accounts.prove().proof, try await accounts.prove().proof)
        _ = try await accounts.resolve(used).answered
        #expect(try await accounts.change(user, to: AccountFixture.other) == .answer(AccountAnswer(.done)))
        for proof in [unused, used] {
            #expect(try await accounts.resolve(proof) == .refused(.attestationRefused))
        }
        #expect(try await accounts.signIn() == nil)
        #expect(try await accounts.signIn(AccountFixture.other) != nil)
    }

    /// The control of the test above: a rule that asks for the holder alone lets the old password in.
    @Test func `control: a resolve that ignores the version lets the old password's proof in`() async throws {
        let user = try await accounts.user()
        let version = try #require(try await accounts.parts.act.facts(.account(user.id), nil).password?.version)
        _ = try await accounts.change(user, to: AccountFixture.other)
        let identity = VerifiedIdentity(kind: .email, value: address)
        let facts = try await accounts.users.store.signInFacts(identity, proofID: "p")
        let rule = SignInRule(onScheduledDeletion: .restore)
        func decide(_ password: VerifiedPassword?) -> SignInVerdict {
            let proof = SignInProof(id: "p", expiresAt: .max, identity: identity, password: password)
            return rule.decide(proof, on: facts, now: 1_000)
        }
        #expect(decide(VerifiedPassword(user: user.id, version: version, epoch: 1)) == .refuse(.used))
        let stranger = VerifiedPassword(user: .new(), version: facts.password?.version ?? 0, epoch: 1)
        #expect(decide(stranger) == .refuse(.used))
        guard case .admit = decide(nil) else {
            Issue.record("the version alone is what keeps it out")
            return
        }
    }

    @Test func `who is inactive is told so at the right password alone`() async throws {
        _ = try await accounts.user()
        let before = try await accounts.prove().proof
        try await accounts.users.execute("UPDATE users SET is_active = 0")
        #expect(try await accounts.prove().result == .accountInactive)
        #expect(try await accounts.prove(AccountFixture.other).result == .invalidCredentials)
        #expect(try await accounts.resolve(before) == .refused(.accountInactive))
    }

    @Test func `all spellings of an address are one account and one counter`() async throws {
        _ = try await accounts.user()
        let spellings = (0..<25).map { number in
            let text = String(
                address.enumerated().map { index, character in
                    (number >> (index % 5)) & 1 == 1 ? Character(character.uppercased()) : character
                })
            return number.isMultiple(of: 2) ? text : " \(text)\t"
        }
        let results = try await concurrently(25) { number in
            try await patiently { try await accounts.prove(AccountFixture.other, at: spellings[number]).result }
        }
        #expect(results.filter { $0 == .invalidCredentials }.count == 10)
        #expect(results.filter { $0 == .rateLimited }.count == 15)
    }

    @Test func `unknown addresses and old passwords count alike, and a limit keeps the right one out too`() async throws
    {
        let user = try await accounts.user()
        _ = try await accounts.change(user, to: AccountFixture.other)
        for email in [address, "nobody@example.com"] {
            for _ in 0..<10 {
                #expect(try await accounts.prove(AccountFixture.password, at: email).result == .invalidCredentials)
            }
            let limited = try await accounts.prove(AccountFixture.other, at: email)
            #expect(limited == AccountAnswer(.rateLimited, limit: .lockout, retryAfterSeconds: 30))
        }
        accounts.users.clock.advance(seconds: 30)
        #expect(try await accounts.prove(AccountFixture.other).result == .proved)
    }

    @Test func `a higher cost hashes anew at the login, and the proof still holds`() async throws {
        let user = try await accounts.user()
        let before = try #require(try await accounts.parts.act.facts(.account(user.id), nil).password)
        let cost = try #require(PasswordCost(memoryKiB: 20_480, iterations: 3))
        let hasher = PasswordHasher(cost: cost, threadCount: 1)
        let parts = accounts.parts
        let raised = AccountParts(
            passwords: parts.passwords, registration: parts.registration, change: parts.change, act: parts.act,
            check: CheckPassword(hasher: hasher, limits: parts.limits), notices: parts.notices, tags: parts.tags,
            takeover: parts.takeover,
            proofKeys: parts.proofKeys)
        func prove(_ password: String) async throws -> AccountAnswer {
            try await ProvePassword(accounts: raised, grants: accounts.users.grants, times: accounts.times)(
                PasswordProofRequest(
                    email: address, password: password, address: AccountFixture.client,
                    callID: AccountFixture.newCall()))
        }
        #expect(try await prove(AccountFixture.other).result == .invalidCredentials)
        #expect(try await parts.act.facts(.account(user.id), nil).password == before)
        let verified = try await prove(AccountFixture.password)
        let after = try #require(try await parts.act.facts(.account(user.id), nil).password)
        #expect(PasswordHash(after.hash)?.cost == cost && after.version == before.version)
        _ = try await accounts.resolve(verified.proof).answered
        #expect(try await prove(AccountFixture.password).result == .proved)
        #expect(try await parts.act.facts(.account(user.id), nil).password == after)
        try await hasher.shutDown()
    }

    /// In our form, as others make them: one that was moved in, or ours from before the cost was lowered.
    @Test func `a hash of more than today's cost is replaced at the login`() async throws {
        let user = try await accounts.user()
        let hasher = PasswordHasher(cost: try #require(PasswordCost(memoryKiB: 32_768, iterations: 2)), threadCount: 1)
        let hash = try await hasher.hash(try #require(PasswordText(AccountFixture.password)))
        let facts = try await accounts.parts.act.facts(.account(user.id), nil)
        let moved = StoredPassword(hash: hash.text, version: try #require(facts.password).version)
        _ = try await accounts.users.store.apply(
            [.setPassword(moved, of: user.id)], on: facts, now: accounts.users.clock.seconds)
        #expect(try await accounts.prove().result == .proved)
        let after = try #require(try await accounts.parts.act.facts(.account(user.id), nil).password)
        #expect(PasswordHash(after.hash)?.cost == .standard && after.version == moved.version)
        #expect(try await accounts.prove().result == .proved)
        try await hasher.shutDown()
    }

    /// The hash that was checked is not kept any more when the stronger one is ready.
    @Test func `a stronger hash takes the place of no other password`() async throws {
        let user = try await accounts.user()
        let facts = try await accounts.parts.act.facts(.account(user.id), nil)
        let checked = try #require(facts.password)
        // Another replica's, of the same password.
        let newer = StoredPassword(hash: "newer", version: checked.version)
        #expect(
            try await accounts.users.store.apply(
                [.setPassword(newer, of: user.id)], on: facts, now: accounts.users.clock.seconds) == .applied)
        let late: [UserChange] = [.setPassword(checked, of: user.id)]
        let stale = try await accounts.users.store.apply(late, on: facts, now: accounts.users.clock.seconds)
        #expect(stale == .stale)
        #expect(try await accounts.parts.act.facts(.account(user.id), nil).password == newer)
    }

    @Test func `without Redis, or with too much to hash, nothing is compared and nothing counts`() async throws {
        _ = try await accounts.user()
        let results = await withTaskGroup(of: String.self) { group in
            for number in 0..<300 {
                group.addTask {
                    do {
                        let client = GuessFixture.network(number)
                        return try await accounts.prove(
                            AccountFixture.other, at: "user\(number)@example.com", from: client
                        ).result.rawValue
                    } catch is PasswordHasher.Busy { return "busy" } catch { return "\(error)" }
                }
            }
            return await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(Set(results) == ["busy", "invalid_credentials"])
        // What was refused gave its count back.
        let accountKeys = try await accounts.redis.send(["KEYS", "login:1:n:*"]).arrayValue?.count ?? 0
        #expect(accountKeys == results.filter { $0 == "invalid_credentials" }.count)
        try await accounts.server.kill()
        await #expect(throws: GuessLimitsFailure.self) { try await accounts.prove() }
    }

    @Test func `nothing of password, proof or address stands in the files or in Redis`() async throws {
        let user = try await accounts.user()
        _ = try await accounts.prove(AccountFixture.other)
        _ = try await accounts.change(user, to: AccountFixture.other)
        let keys = try await accounts.redis.send(["KEYS", "*"]).arrayValue?.compactMap(\.text) ?? []
        for key in keys where key != GuessTags.auditKey {
            let value = try await accounts.redis.send(["GET", .text(key)]).text ?? ""
            #expect(!(key + value).contains("ann"))
        }
        let records = "\(try await accounts.redis.send(["XRANGE", .text(GuessTags.auditKey), "-", "+"]))"
        #expect(!records.contains("ann") && !records.contains("198.51"))
        for trace in try Trace.files(in: accounts.users.folder) {
            for canary in [Canary(AccountFixture.password), Canary(AccountFixture.other)] {
                #expect(!canary.stands(in: trace.bytes), "\(canary) is in \(trace.name)")
            }
        }
    }
}
