import InternalAPI
import TestSupport
import Testing

@testable import UserCore

/// The grant that comes with a password's proof, so that a login needs no call of `resolve`.
@Suite(.timeLimit(.minutes(5)), .accounts) struct PasswordGrantTests {
    private let accounts: AccountFixture

    init() throws { accounts = try AccountFixture.ofTest }

    @Test func `it is the one that resolve gives for the proof, and no resolution is written`() async throws {
        _ = try await accounts.user()
        let before = try await accounts.users.count("resolutions")
        let answer = try await accounts.prove(call: nil)
        #expect(try await accounts.users.count("resolutions") == before)
        let resolved = try #require(answer.resolved)
        let later = try await accounts.resolve(answer.proof).answered
        #expect(resolved.user == later.user && !resolved.isNewUser && !resolved.restored)
        let grants = try [resolved, later].map(accounts.users.grant)
        #expect(grants[0] == grants[1] && grants[0].method == "password")
    }

    @Test func `another password raises the epoch of later grants above that of earlier ones`() async throws {
        let user = try await accounts.user()
        let before = try #require(try await accounts.prove().resolved)
        _ = try await accounts.change(user, to: AccountFixture.other)
        let after = try #require(try await accounts.prove(AccountFixture.other).resolved)
        let epochs = try [before, after].map { try accounts.users.grant($0).epoch }
        #expect(epochs[0] < epochs[1])
    }

    @Test func `nothing of it is kept for repeats of the call`() async throws {
        _ = try await accounts.user()
        let call = AccountFixture.newCall()
        let grant = try #require(try await accounts.prove(call: call).resolved).grant
        #expect(try await accounts.prove(call: call).resolved == nil)
        for trace in try Trace.files(in: accounts.users.folder) {
            #expect(!Canary(grant).stands(in: trace.bytes), "in \(trace.name)")
        }
    }

    @Test func `a wrong password, and who is inactive, have none`() async throws {
        _ = try await accounts.user()
        #expect(try await accounts.prove(AccountFixture.other).resolved == nil)
        try await accounts.users.execute("UPDATE users SET is_active = 0")
        let answer = try await accounts.prove()
        #expect(answer == AccountAnswer(.accountInactive))
    }

    @Test func `the login is noted, a second later and together with others`() async throws {
        let user = try await accounts.user()
        func lastSignIn() async throws -> Int64? {
            try await accounts.users.store.find(.id(user.id))?.lastSignInAt
        }
        let before = try await lastSignIn()
        accounts.users.clock.advance(seconds: 90)
        _ = try await accounts.prove()
        #expect(try await lastSignIn() == before)
        await accounts.times.round()
        #expect(try await lastSignIn() == accounts.users.clock.seconds)
    }

    @Test func `a password's sign-in is watched too`() async throws {
        _ = try await accounts.user()
        let watch = SignInWatch(
            rule: NewDeviceRule(notifies: true), tags: OriginTags(ring: accounts.users.storageKeys),
            notices: AccountNotices(seal: accounts.users.seal))
        func signIn(_ device: String, _ address: String) async throws -> Bool? {
            let origin = SignInOrigin(fingerprint: device, address: address)
            let answer = try await accounts.prove(from: address, origin: origin, watch: watch)
            return try #require(answer.resolved).isNewDevice
        }
        #expect(try await signIn("a", "198.51.100.7") == nil)
        #expect(try await signIn("a", "203.0.113.7") == nil)
        #expect(try await signIn("b", "192.0.2.7") == true)
        #expect(try await signIn("b", "192.0.2.7") == nil)
        #expect(try await accounts.mails().map(\.kind) == [.newDevice])
    }
}
