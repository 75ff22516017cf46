import AuthAPI
import EdgeHTTP
import InternalAPI

/// Showing again who the user is, before what a session alone must not do.
extension NativeDialect {
    var reauthenticationRows: [DialectRow] {
        [
            DialectRow(.post, "/auth/reauthenticate", .bearer, answer: reauthenticate)
                .documented(
                    .user, "Shows again who the user is, with a code, a password, a token or a passkey",
                    takes: .json(StepUpBody.self), .json(ReauthenticationReply.self),
                    refusals: Refusal.reauthentication),
            DialectRow(.post, "/auth/reauthenticate/request", .bearer, answer: requestReauthenticationCode)
                .documented(
                    .user, "Sends a code for it to the user's own phone number or email address",
                    takes: .optionalJSON(ReauthenticationCodeBody.self), .json(OTPRequestReply.self),
                    refusals: Refusal.requestCode + Refusal.requestMail
                        + UserOperations.requestReauthenticationCode.refusals),
        ]
    }

    /// `POST /auth/reauthenticate`
    @Sendable func reauthenticate(_ request: ClientRequest, _ useCases: UseCases) async throws(Refusal) -> Reply {
        let body = try request.json.decode(StepUpBody.self)
        try await useCases.reauthentication(body.proof, passkey: body.passkey, ClientCall(request))
        return .json(ReauthenticationReply())
    }

    /// `POST /auth/reauthenticate/request`
    @Sendable func requestReauthenticationCode(
        _ request: ClientRequest, _ useCases: UseCases
    ) async throws(Refusal) -> Reply {
        let body = try request.json.decodeIfSent(ReauthenticationCodeBody.self) ?? ReauthenticationCodeBody()
        try await useCases.reauthentication.requestCode(
            body, locales: AcceptedLanguages.tags(request.head, after: body.locale), ClientCall(request))
        return .json(OTPRequestReply(success: true, status: "pending", message: "Verification code sent"))
    }
}
