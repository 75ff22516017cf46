import InternalAPI
import Policies
import Storage
import StrictJSON
import TestSupport
import Testing

@testable import UserCore
@testable import UserTables

/// Account mails on their way: which goes first, how long their links open, and how long they are tried.
@Suite(.timeLimit(.minutes(5)), .accounts) struct MailQueueTests {
    private let accounts: AccountFixture
    private static let victim = AccountFixture.address

    init() throws { accounts = try AccountFixture.ofTest }

    private func expiry(of token: String) async throws -> Int64? {
        let hash = try #require(LinkSecret(token)).hash
        let question = UserQuestion(.link(hash: hash), call: nil, askedAt: accounts.users.clock.seconds)
        return try await accounts.users.store.facts(question).link?.expiresAt
    }

    /// Sends registrations of other clients, from one network or from many.
    private func flood(_ count: Int, from network: (Int) -> String) async throws {
        for number in 0..<count {
            let asker = OutboxPlace.Asker(network: network(number), isRecognised: false)
            let subject = UserID.new()
            let changes = try accounts.parts.notices.link(
                .reset, .passwordReset, of: subject, to: "flood\(number)@example.com", locales: [], for: asker,
                accounts.users.clock.seconds)
            let facts = try await accounts.parts.act.facts(.address("flood\(number)@example.com"), nil)
            #expect(
                try await accounts.users.store.apply(changes, on: facts, now: accounts.users.clock.seconds) == .applied)
        }
    }

    private func order(limit: Int = 1_000) async throws -> [String] {
        let lease = Lease(name: "outbox mail", holder: "a", lifetimeSeconds: 30)
        return try await accounts.users.outbox.takeDue(
            .mail, limit: limit, lease: lease, now: accounts.users.clock.seconds
        ).map { item in
            let opened = try #require(accounts.users.seal.open(item.message, about: item.user))
            return try StrictJSON.decode(MailNotice.self, from: opened, limits: .own).to
        }
    }

    @Test func `a flood of one network is behind the first mail of every other`() async throws {
        _ = try await accounts.user()
        try await flood(320) { _ in "flood" }
        _ = try await accounts.forgot()
        let order = try await order()
        #expect(order.count == 321 && (order.firstIndex(of: Self.victim) ?? 320) <= 1)
    }

    @Test func `with a flood of many networks a stranger's mail is behind one of each, a recognised client's first`()
        async throws
    {
        try await flood(24 * 20) { "flood \($0 % 24)" }
        let stranger = OutboxPlace.Asker(network: "other", isRecognised: false)
        func write(_ address: String, for asker: OutboxPlace.Asker) async throws {
            let changes = try accounts.parts.notices.link(
                .reset, .passwordReset, of: .new(), to: address, locales: [], for: asker,
                accounts.users.clock.seconds)
            let facts = try await accounts.parts.act.facts(.address(address), nil)
            _ = try await accounts.users.store.apply(changes, on: facts, now: accounts.users.clock.seconds)
        }
        try await write("stranger@example.com", for: stranger)
        try await write("owner@example.com", for: OutboxPlace.Asker(network: "flood 1", isRecognised: true))
        let order = try await order()
        #expect(order.first == "owner@example.com")
        #expect((order.firstIndex(of: "stranger@example.com") ?? 999) <= 25)
    }

    @Test func `notices and resets go before invitations, and these before registrations`() async throws {
        let kinds: [MailNotice.Kind] = [
            .confirmRegistration, .addressKnown, .invitation, .passwordReset, .passwordChanged, .accountDeletion,
            .confirmAddress,
        ]
        let ranks = kinds.map {
            OutboxPlace($0, for: OutboxPlace.Asker(network: "", isRecognised: false)).rank
        }
        #expect(ranks[0] == ranks[1] && ranks[4] == ranks[5] && ranks[6] == ranks[2])
        #expect(ranks[4] < ranks[3] && ranks[3] < ranks[2] && ranks[2] < ranks[1])
        #expect(OutboxPlace(.inactivity, for: .trusted).rank > ranks[1])
    }

    @Test func `all mails that wait go out in one round`() async throws {
        try await flood(200) { "network \($0)" }
        await accounts.users.worker(.mail).round()
        #expect(accounts.users.otpService.notices.count == 200)
        #expect(try await accounts.users.outbox.standing(.mail).pending == 0)
    }

    @Test func `a link's time begins with its mail's first try, and no later one prolongs it`() async throws {
        _ = try await accounts.user()
        _ = try await accounts.mails()
        _ = try await accounts.forgot()
        accounts.users.clock.advance(seconds: 1_800)
        accounts.users.otpService.setAway(true)
        await accounts.users.worker(.mail).round()
        let handedOver = accounts.users.clock.seconds
        accounts.users.otpService.setAway(false)
        accounts.users.clock.advance(seconds: 300)
        let token = try await accounts.token(.passwordReset)
        #expect(accounts.users.otpService.notices.last?.at == handedOver + 900)
        #expect(try await expiry(of: token) == handedOver + 900)
        accounts.users.clock.advance(seconds: 599)
        #expect(try await accounts.reset(token, "quite another one").result == .done)
    }

    @Test func `a mail that waited an hour is not sent, and its link opens nothing`() async throws {
        _ = try await accounts.user()
        _ = try await accounts.forgot()
        accounts.users.clock.advance(seconds: 3_600)
        #expect(try await accounts.mails().isEmpty)
        #expect(try await accounts.users.count("outbox") == 0)
    }

    @Test func `a mail whose link was replaced is not sent`() async throws {
        _ = try await accounts.register()
        _ = try await accounts.resend()
        let mails = try await accounts.mails()
        #expect(mails.count == 1)
        #expect(try await accounts.confirm(try #require(mails.first?.token)).result == .done)
    }

    /// The state after a kill between the count and the write.
    @Test func `a call that was counted and not written is carried out when it comes again`() async throws {
        _ = try await accounts.user()
        let call = AccountFixture.newCall()
        let tag = accounts.parts.tags.tag(
            AccountOperations.forgotPassword.path, callID: call, body: [AccountFixture.address])
        let address = try #require(accounts.parts.address(AccountFixture.address))
        let mail = AccountMail(
            purpose: .reset, address: address, client: IPAddress(AccountFixture.client), call: tag,
            now: accounts.users.clock.seconds)
        _ = try await accounts.parts.limits.admit(mail)
        #expect(try await accounts.forgot().result == .done)
        #expect(try await accounts.mails().isEmpty, "another call is a repeat")
        #expect(try await accounts.forgot(call: call).result == .done)
        #expect(try await accounts.mails().map(\.kind) == [.passwordReset])
    }

    @Test func `a request that fails is no repeat when it comes again`() async throws {
        _ = try await accounts.user()
        try await accounts.users.breakOutbox()
        await #expect(throws: (any Error).self) { try await accounts.forgot() }
        try await accounts.users.execute("DROP TRIGGER broken")
        #expect(try await accounts.forgot().result == .done)
        #expect(try await accounts.mails().map(\.kind) == [.passwordReset])
    }
}
