import AuthAPI
import EdgeHTTP
import InternalAPI
import Policies

/// aarokya's API, as its document prints it: sign-in by a code, bearer tokens, everything in snake_case.
struct AarokyaDialect: Dialect {
    let name = Policies.Dialect.aarokya
    /// The attributes of users, which this dialect spells in its own way.
    var attributes = NativeAttributes(declared: [])
    /// Whether codes go to phones.
    var sendsCodes = true

    var rows: [DialectRow] { (sendsCodes ? codeRows : []) + ownRows }

    private var codeRows: [DialectRow] {
        [
            DialectRow(.post, "/auth/otp/trigger", .open, counting: .refused, answer: triggerCode)
                .documented(
                    .codes, "Sends a one-time code", takes: .json(TriggerBody.self), .json(SuccessReply.self),
                    refusals: Refusal.requestCode),
            DialectRow(
                .post, "/auth/otp/verify", .open, counting: .refused, members: ["phone", "otp"], answer: verifyCode
            )
            .documented(
                .codes, "Signs in with a code", takes: .json(VerifyBody.self), .json(AarokyaTokens.self),
                refusals: Refusal.signInByCode),
        ]
    }

    private var ownRows: [DialectRow] {
        [
            DialectRow(.post, "/auth/token/refresh", .open, answer: refresh)
                .documented(
                    .sessions, "Rotates the refresh token", takes: .optionalJSON(RefreshBody.self),
                    .json(AarokyaTokens.self), refusals: Refusal.refresh),
            // Open, since it must work with a token that has expired or is revoked. For a bearer the native row does the same and
            // sends the same response.
            DialectRow(.post, "/auth/logout", .open, yields: true, answer: logOut)
                .documented(
                    .sessions, "Revokes the bearer's session", .json(SuccessReply.self),
                    refusals: Refusal.logOut + [.accessTokenInvalid]),
            DialectRow(.get, "/user/profile", .bearer, answer: readProfile)
                .documented(
                    .user, "Returns the user", .json(AarokyaProfile.shape),
                    refusals: UserOperations.readProfile.refusals),
        ]
    }
}
