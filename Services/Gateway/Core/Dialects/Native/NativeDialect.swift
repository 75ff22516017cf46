import AuthAPI
import EdgeHTTP
import InternalAPI
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
    /// Whether a sign-in to an account that is scheduled for deletion asks the person first.
    var asksToRestore = false
    /// The page that verifies an email address from the operator; `nil` if the policy sends no mail.
    var addressPage: AddressPage?
    /// The page by which users report a change that was not theirs; `nil` if the policy sends no notices.
    var notMePage: NotMePage?
    /// Whether codes go to phones.
    var sendsCodes = true
    /// The providers whose identity tokens sign in.
    var identities = NativeIdentities(providers: [])
    /// Whether phone tokens sign in.
    var acceptsPhoneTokens = false
    /// Whether users may have a second factor.
    var hasSecondFactor = false
    /// Sign-in with passkeys; `nil` if the policy has none.
    var passkeys: NativePasskeys?
    /// The apps that open links.
    var apps = AppLinks()
    /// Whether the policy has an API for administrators.
    var hasAdministration = false
    /// Whether people may act as users.
    var hasActing = false

    /// The rows of this dialect. A row that another dialect (uta) has as well yields to it.
    var rows: [DialectRow] {
        let shared = [refreshRow, logOutRow] + (passwords == nil ? [] : passwordRows)
        return (sendsCodes ? codeRows : []) + shared.map(\.yielding) + ownRows + reauthenticationRows
            + (mail == nil ? [] : mailRows) + ownIdentityRows + (asksToRestore ? [restoreRow] : [])
            + (acceptsPhoneTokens ? [phoneTokenRow] : []) + identityRows + webSignInRows + apps.rows
            + (deletionPage == nil ? [] : deletionRows) + (addressPage == nil ? [] : addressRows)
            + (notMePage == nil ? [] : notMeRows) + (hasAdministration ? administrationRows : [])
            + (hasActing ? [actingRow] : []) + (passkeys.map(passkeyRows) ?? [])
            + (hasSecondFactor ? secondFactorRows : [])
    }

    private var deletionRows: [DialectRow] {
        [
            DialectRow(.get, DeletionPage.path, .open, answer: showDeletion)
                .documented(.user, "Shows the page on which users delete their account without the app", .page),
            DialectRow(.post, DeletionPage.path, .open, answer: deleteByPage)
                .documented(
                    .user, "Sends the code of a deletion, and checks it",
                    takes: .form(["recipient"], optional: ["code"]), .page,
                    refusals: Refusal.requestCode + Refusal.requestMail + Refusal.signInByCode),
        ]
    }

    private var mailRows: [DialectRow] {
        [
            DialectRow(.post, "/auth/magic-link/request", .open, counting: .refused, answer: requestMail)
                .documented(
                    .mail, "Mails a code, and a link if the request has a challenge",
                    takes: .json(MailRequestBody.self),
                    .json(MailRequestReply.self), refusals: Refusal.requestMail),
            DialectRow(.post, "/auth/magic-link/verify", .open, counting: .refused, answer: verifyMail)
                .documented(
                    .mail, "Signs in with email and code, or with token and verifier of a link",
                    takes: .json(MailVerifyBody.self), .json(SignInReply.self), refusals: Refusal.signInByMail),
            DialectRow(.get, "/auth/magic-link", .open, answer: showLink)
                .documented(.mail, "Shows the page of a link that no app opens; it approves nothing", .page),
            DialectRow(.post, "/webhooks/resend", .open, counting: .refused, answer: takeWebhook)
                .documented(
                    .mail, "Receives Resend's events about mails, with their signature", takes: .json(.any),
                    .json(WebhookReceived.self), refusals: Refusal.webhook),
        ]
    }

    /// The endpoints of accounts with passwords. Only refused requests are counted here. user-service counts password checks and
    /// mails, and distinguishes a user's own networks from all others.
    var passwordRows: [DialectRow] {
        [
            DialectRow(.post, "/auth/register", .open, counting: .refused, answer: register)
                .documented(
                    .passwords, "Mails a link that confirms a new account; the response is the same for every address",
                    takes: .json(RegisterBody.self), .json(SuccessReply.self),
                    refusals: Refusal.accounts(
                        .invalidEmail, .invalidName, .weakPassword, .registrationClosed, .rateLimited, .off)),
            DialectRow(.post, "/auth/login", .open, counting: .refused, members: ["password"], answer: logIn)
                .documented(
                    .passwords, "Signs in with a password; each token has two names", takes: .json(LoginBody.self),
                    .json(LoginReply.self), refusals: Refusal.signInByPassword),
            DialectRow(.post, "/auth/verify-email/resend", .open, counting: .refused, answer: resendConfirmation)
                .documented(
                    .passwords, "Mails the link of a registration again; the response is the same for every address",
                    takes: .json(AccountMailBody.self), .json(SuccessReply.self), refusals: Refusal.accountMail),
            DialectRow(.post, "/auth/forgot-password", .open, counting: .refused, answer: forgotPassword)
                .documented(
                    .passwords, "Mails a link that sets a new password; the response is the same for every address",
                    takes: .json(AccountMailBody.self), .json(SuccessReply.self), refusals: Refusal.accountMail),
            DialectRow(.get, AccountLinks.confirmPath, .open, answer: showConfirmation)
                .documented(.passwords, "Shows the page of a registration's link", .page),
            DialectRow(.post, AccountLinks.confirmPath, .open, answer: confirm)
                .documented(
                    .passwords, "Confirms a registration, by an app or by the page",
                    takes: .json(linkSuffices ? JSONShape(of: LinkBody.self) : JSONShape(of: AccountLinkBody.self)),
                    .json(SuccessReply.self),
                    refusals: Refusal.accounts(.invalidLink, .wrongPassword, .rateLimited, .off)),
            DialectRow(.get, AccountLinks.resetPath, .open, answer: showReset)
                .documented(.passwords, "Shows the page that sets a password", .page),
            DialectRow(.post, AccountLinks.resetPath, .open, answer: resetPassword)
                .documented(
                    .passwords, "Sets a new password, by an app or by the page", takes: .json(AccountLinkBody.self),
                    .json(SuccessReply.self),
                    refusals: Refusal.accounts(.invalidLink, .weakPassword, .rateLimited, .changePending, .off)),
            DialectRow(.post, "/auth/change-password", .bearer, answer: changePassword)
                .documented(
                    .passwords, "Changes the password", takes: .json(ChangePasswordBody.self), .json(SuccessReply.self),
                    refusals: AccountOperations.changePassword.refusals
                        + Refusal.accounts(
                            .wrongPassword, .noPassword, .weakPassword, .rateLimited, .changePending, .off)),
            DialectRow(.delete, "/auth/account", .bearer, answer: deleteByPassword)
                .documented(
                    .passwords, "Schedules the account for deletion", takes: .json(PasswordBody.self),
                    .json(SuccessReply.self), refusals: Refusal.deletion),
        ]
    }

    private var codeRows: [DialectRow] {
        [
            DialectRow(.post, "/auth/otp/request", .open, counting: .refused, answer: requestCode)
                .documented(
                    .codes, "Sends a one-time code", takes: .json(OTPRequestBody.self), .json(OTPRequestReply.self),
                    refusals: Refusal.requestCode),
            DialectRow(
                .post, "/auth/otp/verify", .open, counting: .refused, members: ["phoneNumber", "code"],
                answer: verifyCode
            )
            .documented(
                .codes, "Signs in with a code", takes: .json(OTPVerifyBody.self), .json(SignInReply.self),
                refusals: Refusal.signInByCode),
            DialectRow(.post, "/webhooks/twilio/status", .open, counting: .refused, answer: takeCallback)
                .documented(
                    .codes, "Receives the delivery status of a message, signed by Twilio",
                    takes: .form(["MessageSid", "MessageStatus"]), .nothing, status: 204,
                    refusals: [.forgedCallback, .invalid(member: "MessageStatus"), .notFound]),
        ]
    }

    /// otp-service counts the tokens that are valid.
    private var phoneTokenRow: DialectRow {
        DialectRow(.post, "/auth/phone-token", .open, counting: .refused, answer: exchangePhoneToken)
            .documented(
                .phoneTokens, "Signs in with a token that verifies a phone number", takes: .json(PhoneTokenBody.self),
                .json(SignInReply.self), refusals: Refusal.signInByPhoneToken)
    }

    private var restoreRow: DialectRow {
        DialectRow(.post, "/auth/restore", .open, counting: .refused, answer: restore)
            .documented(
                .user, "Cancels the deletion of the account to which a sign-in led, and signs in",
                takes: .json(RestoreBody.self), .json(SignInReply.self), refusals: Refusal.restore)
    }

    private var refreshRow: DialectRow {
        DialectRow(.post, "/auth/refresh", .open, answer: refresh)
            .documented(
                .sessions, "Rotates the refresh token; a page with cookies sends no body",
                takes: .optionalJSON(RefreshBody.self), .json(TokenReply.self), refusals: Refusal.refresh)
    }

    /// The row that signs out. It is open, since it must work with a token that has expired or is revoked.
    var logOutRow: DialectRow {
        DialectRow(.post, "/auth/logout", .open, members: ["refreshToken", "scope"], answer: logOut)
            .documented(
                .sessions, "Revokes the session of the refresh token, or of the access token in Authorization",
                takes: .optionalJSON(LogoutBody.self), .json(SuccessReply.self), refusals: Refusal.logOut)
    }

    private var ownRows: [DialectRow] {
        [
            DialectRow(.get, "/users/me", .bearer, answer: readProfile)
                .documented(
                    .user, "Returns the user", .json(ShownProfile.self), refusals: UserOperations.readProfile.refusals),
            DialectRow(.patch, "/users/me", .bearer, answer: changeProfile)
                .documented(
                    .user, "Changes the name, the attributes that users may set, and their metadata",
                    takes: .json(NativeAttributes.changeWithMetadata), .json(ShownProfile.self),
                    refusals: UserOperations.updateProfile.refusals + [Refusal.anyChangedElsewhere]),
            DialectRow(.delete, "/users/me", .bearer, answer: deleteAccount)
                .documented(
                    .user, "Schedules the account for deletion", takes: .optionalJSON(DeletionBody.self),
                    .json(SuccessReply.self), refusals: UserOperations.deleteAccount.refusals + Refusal.deletion),
            DialectRow(.get, "/users/me/export", .bearer, answer: exportData)
                .documented(
                    .user, "Returns everything that is stored about the user, page by page",
                    takes: .query([], optional: ["cursor"]), .json(UserExport.self), refusals: Refusal.export),
            DialectRow(.get, "/sessions", .bearer, answer: listSessions)
                .documented(
                    .sessions, "Lists the user's sessions, newest first", .json(SessionList.self),
                    refusals: TokenOperations.ownSessions.refusals),
            DialectRow(.delete, "/sessions", .bearer, answer: endOtherSessions)
                .documented(
                    .sessions, "Revokes all other sessions of the user", .json(SuccessReply.self),
                    refusals: TokenOperations.endOtherSessions.refusals),
            DialectRow(.delete, "/sessions/*", .bearer, answer: endSession)
                .documented(
                    .sessions, "Revokes one of the user's sessions", .json(SuccessReply.self),
                    refusals: TokenOperations.endOwnSession.refusals),
            DialectRow(.get, "/.well-known/jwks.json", .open, counting: .nothing, answer: accessTokenKeys)
                .documented(.deployment, "Returns the public keys of access tokens (RFC 7517)", .json(.any)),
            DialectRow(.get, "/.well-known/latchkey-identity.json", .open, counting: .nothing, answer: identityKeys)
                .documented(.deployment, "Returns the public keys of the signed proof for APIs", .json(.any)),
        ] + (passwords == nil ? [] : [changePasswordRow])
    }

    private var changePasswordRow: DialectRow {
        DialectRow(.get, "/.well-known/change-password", .open, counting: .nothing, answer: findReset)
            .documented(.passwords, "Leads password managers to the page that sets a password", .nothing, status: 302)
    }
}
