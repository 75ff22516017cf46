import InternalAPI
import Policies
import TestSupport
import Testing

@testable import UserCore

/// Passwords of accounts under review.
@Suite(.timeLimit(.minutes(5)), .accounts) struct PasswordUnderReviewTests {
    private let accounts: AccountFixture
    private static let new = "quite another one"

    init() throws { accounts = try AccountFixture.ofTest }

    private var reporter: ReportNotMe {
        ReportNotMe(act: accounts.parts.act, tags: accounts.parts.tags, userIDPrefix: UserFixture.prefix)
    }

    /// Reports a change by the link of its notice.
    private func report(_ token: String) async throws {
        let secret = try #require(try await reporter.form(NotMeFormRequest(token: token)).secret)
        #expect(try await reporter(NotMeReport(token: token, formSecret: secret), requestID: nil).result == .done)
    }

    @Test func `a password that was set since signs in to nothing until the review is cleared`() async throws {
        let user = try await accounts.user()
        accounts.users.clock.advance(seconds: 10)
        #expect(try await accounts.change(user, to: Self.new) == .answer(AccountAnswer(.done)))
        let notice = try #require(try await accounts.mails().first)
        // The mail states the time of the change, and not that of the link's end.
        #expect(notice.kind == .passwordChanged && notice.at == accounts.users.clock.seconds)
        try await report(try #require(notice.token))
        let proved = try await accounts.prove(Self.new)
        #expect(proved.result == .proved && proved.resolved == nil)
        #expect(try await accounts.resolve(proved.proof).isRefused(.accountUnderReview))
        #expect(try await accounts.users.auditEvents().suffix(2) == ["user.not_me", "user.sign_in_refused"])
        // The address is older than the change, so it signs in, and gets another password.
        let email = VerifiedIdentity.email(AccountFixture.address)
        accounts.users.clock.advance(seconds: 10)
        #expect(try await accounts.users.signedIn(email).id == user.id)
        _ = try await accounts.forgot()
        #expect(try await accounts.reset(try await accounts.token(.passwordReset), "yet another one").result == .done)
        let again = try await accounts.prove("yet another one").proof
        #expect(try await accounts.resolve(again).isRefused(.accountUnderReview))
        try await accounts.users.store.put([.closeReview(of: user.id)], now: accounts.users.clock.seconds)
        #expect(try await accounts.signIn("yet another one")?.user.id == user.id.text(prefix: UserFixture.prefix))
    }

    @Test func `a password from before a change signs in`() async throws {
        let user = try await accounts.user()
        accounts.users.clock.advance(seconds: 10)
        try await accounts.users.store.put(
            [.openReview(of: user.id, since: accounts.users.clock.seconds)], now: accounts.users.clock.seconds)
        #expect(try await accounts.signIn() != nil)
    }

    @Test func `a notice of a change that cannot be sent waits for the operator`() async throws {
        let user = try await accounts.user()
        accounts.users.otpService.setAway(true)
        #expect(try await accounts.change(user, to: Self.new) == .answer(AccountAnswer(.done)))
        for _ in 0..<13 {
            accounts.users.clock.advance(seconds: 299)
            await accounts.users.worker(.mail).round()
        }
        #expect(try await accounts.users.outbox.standing(.mail).dead == 1)
    }
}
