import InternalAPI
import Testing

@testable import GatewayCore

/// The client's response to each result of user-service.
@Suite struct PasswordRefusalTests {
    static let words: [(AccountAnswer.Result, Int, String)] = [
        (.invalidEmail, 400, "invalid_email"), (.invalidName, 400, "invalid_request"),
        (.weakPassword, 400, "weak_password"), (.registrationClosed, 403, "registration_closed"),
        (.invalidLink, 400, "invalid_link"), (.wrongPassword, 400, "wrong_password"),
        (.invalidCredentials, 401, "invalid_credentials"), (.accountInactive, 403, "account_inactive"),
        (.noPassword, 409, "no_password"), (.changePending, 503, "change_pending"), (.off, 404, "not_found"),
    ]

    @Test(arguments: words)
    func `each result has its status and code`(result: AccountAnswer.Result, status: Int, code: String) throws {
        let refusal = try #require(AccountAnswer(result).refusal)
        #expect(RefusalWords(refusal).status == status && RefusalWords(refusal).code == code)
    }

    @Test func `a wait is told as it is`() {
        let answer = AccountAnswer(.rateLimited, limit: .lockout, retryAfterSeconds: 77)
        #expect(answer.refusal == .tooMany(.lockout, retryAfterSeconds: 77))
        #expect(AccountAnswer(.done).refusal == nil)
        #expect(AccountAnswer(.proved, proof: "k1.e30.AA").refusal == nil)
    }
}
