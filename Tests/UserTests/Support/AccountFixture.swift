import CryptoPrimitives
import InternalAPI
import Passwords
import Policies
import RedisClient
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

/// The use cases of accounts with a password, over a database and a Redis of their own, in as many replicas as a test asks for.
struct AccountFixture: Sendable {
    static let address = "ann@example.com"
    static let password = "correct horse battery"
    static let other = "wrong horse battery"
    static let client = "198.51.100.7"

    let users: UserFixture
    let server: RedisServer
    let redis: RedisClient
    let parts: AccountParts
    let times: SignInTimes

    init(
        _ server: RedisServer, _ redis: RedisClient, _ policy: PasswordPolicy, _ ends: PasswordChangePolicy.Ends,
        _ hasher: PasswordHasher
    ) throws {
        let users = try UserFixture()
        (self.users, self.server, self.redis) = (users, server, redis)
        times = SignInTimes(logger: users.logger, write: users.store.noteUses)
        var change = PasswordChangePolicy()
        change.ends = ends
        parts = AccountParts(
            passwords: policy, registration: .open, change: change,
            act: AccountAct(store: users.store, courier: users.courier, now: users.clock.unix),
            check: CheckPassword(
                hasher: hasher,
                limits: GuessLimits(
                    redis: redis, scripts: GuessScripts(policy.attempts), policy: policy,
                    tags: GuessTags(ring: users.storageKeys), limitsLocalAddresses: true, hasRoom: { true })),
            notices: AccountNotices(seal: users.seal), tags: CallTags(ring: users.storageKeys),
            takeover: AccountTakeover(userIDPrefix: UserFixture.prefix),
            proofKeys: try OwnProof.keys(users.storageKeys))
    }

    static func newCall() -> String { Hex.encode(SecureRandom.bytes(8)) }

    /// The accounts of the test that runs, in a suite with the trait `accounts`.
    static var ofTest: AccountFixture { get throws { try #require(current) } }

    @TaskLocal fileprivate static var current: AccountFixture?
}

/// Gives each test of a suite accounts of its own.
struct AccountsTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withAccounts { accounts in
            try await AccountFixture.$current.withValue(accounts) { try await function() }
        }
    }
}

extension Trait where Self == AccountsTrait {
    static var accounts: Self { AccountsTrait() }
}

/// Runs `body` with accounts of its own.
func withAccounts<Result>(
    _ policy: PasswordPolicy = PasswordPolicy(), ends: PasswordChangePolicy.Ends = .all,
    _ body: (AccountFixture) async throws -> Result
) async throws -> Result {
    let hasher = PasswordHasher(cost: policy.cost, threadCount: 2)
    let result = try await withRedis(functions: [GuessFunctions.library.source(loadedAt: 0)]) { server, redis in
        do { return try await body(AccountFixture(server, redis, policy, ends, hasher)) } catch {
            try await hasher.shutDown()
            throw error
        }
    }
    try await hasher.shutDown()
    return result
}

/// Asks again while there is too much to hash: the machine that runs the tests may be busy.
func patiently<Value>(_ body: () async throws -> Value) async throws -> Value {
    while true {
        do { return try await body() } catch is PasswordHasher.Busy { try await Task.sleep(for: .milliseconds(50)) }
    }
}

// MARK: - Calls

extension AccountFixture {
    func register(
        _ email: String = address, _ password: String = password, name: String? = nil, call: String = newCall(),
        byLink: Bool = false
    ) async throws -> AccountAnswer {
        try await Register(accounts: parts)(
            RegisterRequest(
                email: email, password: password, name: name, locales: ["de"], address: Self.client, callID: call,
                linkSuffices: byLink ? true : nil))
    }

    func confirm(
        _ token: String, _ password: String = password, call: String = newCall()
    ) async throws
        -> AccountAnswer
    {
        try await ConfirmRegistration(accounts: parts)(
            AccountLinkRequest(token: token, password: password, address: Self.client, callID: call), requestID: "r-1")
    }

    func resend(
        _ email: String = address, call: String = newCall(), byLink: Bool = false
    ) async throws -> AccountAnswer {
        try await MailAccountLink(accounts: parts).resendConfirmation(mail(email, call, byLink: byLink))
    }

    func forgot(_ email: String = address, call: String = newCall()) async throws -> AccountAnswer {
        try await MailAccountLink(accounts: parts).forgotPassword(mail(email, call))
    }

    private func mail(_ email: String, _ call: String, byLink: Bool = false) -> AccountMailRequest {
        AccountMailRequest(
            email: email, locales: [], address: Self.client, callID: call, linkSuffices: byLink ? true : nil)
    }

    func reset(_ token: String, _ password: String, call: String = newCall()) async throws -> AccountAnswer {
        try await ResetPassword(accounts: parts)(
            AccountLinkRequest(token: token, password: password, address: Self.client, callID: call), requestID: "r-1")
    }

    func prove(
        _ password: String = password, at email: String = address, from client: String = client,
        call: String? = newCall(), origin: SignInOrigin? = nil, watch: SignInWatch? = nil
    ) async throws -> AccountAnswer {
        try await ProvePassword(accounts: parts, grants: users.grants, times: times, watch: watch)(
            PasswordProofRequest(email: email, password: password, address: client, callID: call, origin: origin))
    }

    func change(
        _ user: SignedInUser, from old: String = password, to new: String, call: String = newCall()
    ) async throws -> ChangePassword.Outcome {
        try await ChangePassword(accounts: parts)(
            user, ChangePasswordRequest(oldPassword: old, newPassword: new, address: Self.client, callID: call),
            requestID: "r-1")
    }

    func resolve(_ proof: String?) async throws -> ResolveAttestation.Outcome {
        try await users.resolver()(proof ?? "")
    }

    /// Returns the user after a right password; `nil` after a wrong one.
    func signIn(_ password: String = password, at email: String = address) async throws -> ResolveAnswer? {
        guard let proof = try await prove(password, at: email).proof else { return nil }
        return try await resolve(proof).answered
    }
}

// MARK: - What came of them

extension AccountFixture {
    /// The mails that have not been looked at, oldest first; all that wait go out first.
    func mails() async throws -> [MailNotice] {
        let before = users.otpService.notices.count
        while try await users.outbox.hasDue(.mail, now: users.clock.seconds) { await users.worker(.mail).round() }
        return Array(users.otpService.notices.dropFirst(before))
    }

    /// The token of the only mail.
    func token(_ kind: MailNotice.Kind) async throws -> String {
        let mails = try await mails()
        let mail = try #require(mails.first)
        #expect(mails.count == 1 && mail.kind == kind && mail.to == Self.address)
        return try #require(mail.token)
    }

    /// Registers and confirms, and signs in.
    func user(_ email: String = address, _ password: String = password) async throws -> SignedInUser {
        #expect(try await register(email, password).result == .done)
        let mail = try #require(try await mails().first { $0.kind == .confirmRegistration })
        #expect(try await confirm(try #require(mail.token), password).result == .done)
        return try users.signedIn(try await resolve(try await prove(password, at: email).proof).answered)
    }

    /// Counts the stored rows about accounts.
    func rows() async throws -> [String: Int] {
        var rows: [String: Int] = [:]
        for table in ["users", "identities", "passwords", "registrations", "account_links", "invitations"] {
            let count = try await users.count(table)
            if count > 0 { rows[table] = count }
        }
        return rows
    }
}

extension AccountFixture {
    func delete(
        _ user: SignedInUser, _ password: String = password, call: String = newCall()
    ) async throws -> ChangePassword.Outcome {
        try await DeleteByPassword(accounts: parts, delete: users.deletion())(
            user, DeleteByPasswordRequest(password: password, address: Self.client, callID: call), requestID: "r-1")
    }
}
