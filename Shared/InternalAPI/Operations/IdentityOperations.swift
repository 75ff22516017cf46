/// Operations of user-service on identities that others' tokens prove: accounts at Apple and OpenID Connect providers, and phone
/// numbers.
package enum IdentityOperations {
    package static let prove = InternalOperation<IdentityTokenRequest, IdentityTokenAnswer, InvalidRequestOnly>(
        .post, "/internal/identities/prove", from: [.gateway], timeLimit: TimeLimit.ofIdentityTokens)
    package static let provePhone = InternalOperation<PhoneTokenRequest, PhoneTokenAnswer, InvalidRequestOnly>(
        .post, "/internal/identities/prove-phone", from: [.gateway], timeLimit: TimeLimit.ofIdentityTokens)
    /// Presents a refresh token to the server from which the deployment has moved.
    package static let provePrevious = InternalOperation<
        PreviousSessionRequest, PreviousSessionAnswer, InvalidRequestOnly
    >(
        .post, "/internal/previous/prove", from: [.gateway], timeLimit: TimeLimit.ofIdentityTokens)
    /// Ends a session at that server, as far as it responds.
    package static let endPrevious = InternalOperation<PreviousSessionRequest, Done, InvalidRequestOnly>(
        .post, "/internal/previous/end", from: [.gateway], timeLimit: TimeLimit.ofIdentityTokens)
    /// Receives a notification of Apple's about one of its accounts.
    package static let noteApple = InternalOperation<
        AppleNotification, AppleNotificationAnswer, InvalidRequestOnly
    >(
        .post, "/internal/identities/apple", from: [.gateway], timeLimit: TimeLimit.ofIdentityTokens)

    package static let listOwn = InternalOperation<NoBody, OwnIdentities, BearerRefusal>(
        .get, "/internal/identities/own", from: [.gateway], onBehalfOfBearer: true)
    /// Whether the bearer may change identities now, which is asked before a code is sent.
    package static let permitOwn = InternalOperation<NoBody, Done, PermitChangeRefusal>(
        .post, "/internal/identities/own/permit", from: [.gateway], onBehalfOfBearer: true)
    /// Has otp-service verify a code for a phone number or an email address that the bearer adds. The codes count in the bearer's own
    /// lock too.
    package static let verifyOwn = InternalOperation<OTPVerify, OTPVerifyAnswer, IdentityChangeRefusal>(
        .post, "/internal/identities/own/verify", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofCodeRequests)
    package static let verifyOwnMail = InternalOperation<MailVerify, OTPVerifyAnswer, IdentityChangeRefusal>(
        .post, "/internal/identities/own/verify-mail", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofCodeRequests)
    package static let addOwn = InternalOperation<AddIdentityRequest, AccountAnswer, IdentityChangeRefusal>(
        .post, "/internal/identities/own/add", from: [.gateway], onBehalfOfBearer: true)
    /// Begins a flow in a browser for the bearer and this session. Nothing is stored.
    package static let beginOwn = InternalOperation<OwnWebSignInStart, WebSignInAnswer, BearerBodyRefusal>(
        .post, "/internal/identities/own/web/begin", from: [.gateway], onBehalfOfBearer: true)
    /// Exchanges the code of the bearer's own flow that adds an identity.
    package static let redeemOwn = InternalOperation<SignInCodeRequest, IdentityTokenAnswer, BearerBodyRefusal>(
        .post, "/internal/identities/own/web/redeem", from: [.gateway], onBehalfOfBearer: true)
    package static let mergeOwn = InternalOperation<MergeRequest, AccountAnswer, IdentityChangeRefusal>(
        .post, "/internal/identities/own/merge", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofPasswords)
    package static let requestMergeCode = InternalOperation<MergeCodeRequest, OTPRequestAnswer, IdentityChangeRefusal>(
        .post, "/internal/identities/own/merge/code", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofCodeRequests)
    package static let removeOwn = InternalOperation<RemoveIdentityRequest, AccountAnswer, IdentityChangeRefusal>(
        .post, "/internal/identities/own/remove", from: [.gateway], onBehalfOfBearer: true)
    package static let setPassword = InternalOperation<SetPasswordRequest, AccountAnswer, IdentityChangeRefusal>(
        .post, "/internal/identities/own/password", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofPasswords)
    package static let removePassword = InternalOperation<
        RemovePasswordRequest, AccountAnswer, IdentityChangeRefusal
    >(
        .post, "/internal/identities/own/password/remove", from: [.gateway], onBehalfOfBearer: true)

    /// Ends a change of the bearer's phone number that support has begun.
    package static let endPendingPhone = InternalOperation<NoBody, Done, BearerRefusal>(
        .post, "/internal/identities/own/phone/pending/end", from: [.gateway], onBehalfOfBearer: true)
    /// Ends a merge of the bearer's account that waits.
    package static let endPendingMerge = InternalOperation<NoBody, Done, BearerRefusal>(
        .post, "/internal/identities/own/merge/pending/end", from: [.gateway], onBehalfOfBearer: true)

    /// Begins a sign-in in a browser. Nothing is stored.
    package static let begin = InternalOperation<WebSignInStart, WebSignInAnswer, InvalidRequestOnly>(
        .post, "/internal/identities/web/begin", from: [.gateway])

    /// Reads a provider's answer to a sign-in in a browser. The state serves one call; a repeat of that call passes.
    package static let finish = InternalOperation<WebSignInReturn, WebSignInAnswer, InvalidRequestOnly>(
        .post, "/internal/identities/web/finish", from: [.gateway], timeLimit: TimeLimit.ofCodeExchanges)

    /// Exchanges the code that a sign-in in a browser brought to the app, like an identity token.
    package static let redeem = InternalOperation<SignInCodeRequest, IdentityTokenAnswer, InvalidRequestOnly>(
        .post, "/internal/identities/web/redeem", from: [.gateway])
}

/// Why the bearer may not change identities.
package enum IdentityChangeRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    /// The user is deactivated.
    case accountInactive = "account_inactive"
    /// The user has to show again who they are.
    case reauthenticationRequired = "reauthentication_required"
}
