import EdgeHTTP
import Policies

/// Latchkey's own API (design section 7), on in every policy. It has howru's shapes where howru's document defines one.
struct NativeDialect: Dialect {
    /// The dialect whose sessions this API opens. Another dialect with the same responses passes its own name.
    var name = Policies.Dialect.native
    /// The attributes of users that the policy declares in addition to the common members.
    var attributes = NativeAttributes(declared: [])
    /// The pages and bodies of sign-in by mail; `nil` if the policy has no such sign-in.
    var mail: NativeMail?
    /// The rules of passwords; `nil` if users have none.
    var passwords: NativePasswords?
    /// The page that deletes an account without the app; `nil` if the policy has none.
    var deletionPage: DeletionPage?
    /// The page that verifies an email address from the operator; `nil` if the policy sends no mail.
    var addressPage: AddressPage?
    /// Whether codes go to phones.
    var sendsCodes = true
    /// The providers whose identity tokens sign in.
    var identities = NativeIdentities(providers: [])
    /// Whether phone tokens sign in.
    var acceptsPhoneTokens = false
    /// The apps that open links.
    var apps = AppLinks()

    /// The rows of this dialect. A row that another dialect (uta) has as well yields to it.
    var rows: [DialectRow] {
        let shared = [refreshRow, logOutRow] + (passwords == nil ? [] : passwordRows)
        return (sendsCodes ? codeRows : []) + shared.map(\.yielding) + ownRows + (mail == nil ? [] : mailRows)
            + (acceptsPhoneTokens ? [phoneTokenRow] : []) + identityRows + webSignInRows + apps.rows
            + (deletionPage == nil ? [] : deletionRows) + (addressPage == nil ? [] : addressRows)
    }

    private var deletionRows: [DialectRow] {
        [
            DialectRow(.get, DeletionPage.path, .open, answer: showDeletion),
            DialectRow(.post, DeletionPage.path, .open, answer: deleteByPage),
        ]
    }

    private var mailRows: [DialectRow] {
        [
            DialectRow(.post, "/auth/magic-link/request", .open, counting: .refused, answer: requestMail),
            DialectRow(.post, "/auth/magic-link/verify", .open, counting: .refused, answer: verifyMail),
            DialectRow(.get, "/auth/magic-link", .open, answer: showLink),
            DialectRow(.post, "/webhooks/resend", .open, counting: .refused, answer: takeWebhook),
        ]
    }

    /// The endpoints of accounts with passwords. Only refused requests are counted here. user-service counts password checks and
    /// mails, and distinguishes a user's own networks from all others.
    var passwordRows: [DialectRow] {
        [
            DialectRow(.post, "/auth/register", .open, counting: .refused, answer: register),
            DialectRow(.post, "/auth/login", .open, counting: .refused, members: ["password"], answer: logIn),
            DialectRow(.post, "/auth/verify-email/resend", .open, counting: .refused, answer: resendConfirmation),
            DialectRow(.post, "/auth/forgot-password", .open, counting: .refused, answer: forgotPassword),
            DialectRow(.get, AccountLinks.confirmPath, .open, answer: showConfirmation),
            DialectRow(.post, AccountLinks.confirmPath, .open, answer: confirm),
            DialectRow(.get, AccountLinks.resetPath, .open, answer: showReset),
            DialectRow(.post, AccountLinks.resetPath, .open, answer: resetPassword),
            DialectRow(.post, "/auth/change-password", .bearer, answer: changePassword),
            DialectRow(.delete, "/auth/account", .bearer, answer: deleteByPassword),
        ]
    }

    private var codeRows: [DialectRow] {
        [
            DialectRow(.post, "/auth/otp/request", .open, counting: .refused, answer: requestCode),
            DialectRow(
                .post, "/auth/otp/verify", .open, counting: .refused, members: ["phoneNumber", "code"],
                answer: verifyCode
            ),
            DialectRow(.post, "/webhooks/twilio/status", .open, counting: .refused, answer: takeCallback),
        ]
    }

    /// otp-service counts the tokens that are valid.
    private var phoneTokenRow: DialectRow {
        DialectRow(.post, "/auth/phone-token", .open, counting: .refused, answer: exchangePhoneToken)
    }

    private var refreshRow: DialectRow { DialectRow(.post, "/auth/refresh", .open, answer: refresh) }

    /// The row that signs out. It is open, since it must work with a token that has expired or is revoked.
    var logOutRow: DialectRow {
        DialectRow(.post, "/auth/logout", .open, members: ["refreshToken", "scope"], answer: logOut)
    }

    private var ownRows: [DialectRow] {
        [
            DialectRow(.get, "/users/me", .bearer, answer: readProfile),
            DialectRow(.patch, "/users/me", .bearer, answer: changeProfile),
            DialectRow(.delete, "/users/me", .bearer, answer: deleteAccount),
            DialectRow(.get, "/sessions", .bearer, answer: listSessions),
            DialectRow(.delete, "/sessions", .bearer, answer: endOtherSessions),
            DialectRow(.delete, "/sessions/*", .bearer, answer: endSession),
            DialectRow(.get, "/.well-known/jwks.json", .open, counting: .nothing, answer: accessTokenKeys),
            DialectRow(.get, "/.well-known/latchkey-identity.json", .open, counting: .nothing, answer: identityKeys),
        ] + (passwords == nil ? [] : [changePasswordRow])
    }

    private var changePasswordRow: DialectRow {
        DialectRow(.get, "/.well-known/change-password", .open, counting: .nothing, answer: findReset)
    }
}
