/// Operations of user-service on second factors: one-time passwords of authenticator apps (TOTP), and recovery codes.
package enum SecondFactorOperations {
    package static let state = InternalOperation<NoBody, SecondFactorState, BearerRefusal>(
        .get, "/internal/users/me/mfa", from: [.gateway], onBehalfOfBearer: true)
    /// Creates a secret, which replaces one that waits for its first code.
    package static let enrol = InternalOperation<SecondFactorChange, SecondFactorAnswer, SecondFactorRefusal>(
        .post, "/internal/users/me/mfa/totp", from: [.gateway], onBehalfOfBearer: true)
    package static let activate = InternalOperation<SecondFactorChange, SecondFactorAnswer, SecondFactorRefusal>(
        .post, "/internal/users/me/mfa/totp/activate", from: [.gateway], onBehalfOfBearer: true)
    package static let remove = InternalOperation<SecondFactorChange, SecondFactorAnswer, SecondFactorRefusal>(
        .post, "/internal/users/me/mfa/totp/remove", from: [.gateway], onBehalfOfBearer: true)
    /// Replaces the recovery codes.
    package static let newRecoveryCodes = InternalOperation<
        SecondFactorChange, SecondFactorAnswer, SecondFactorRefusal
    >(
        .post, "/internal/users/me/mfa/recovery-codes", from: [.gateway], onBehalfOfBearer: true)
    package static let require = InternalOperation<SecondFactorChange, SecondFactorAnswer, SecondFactorRefusal>(
        .post, "/internal/users/me/mfa/require", from: [.gateway], onBehalfOfBearer: true)

    /// Ends a reset of the bearer's second factor that support has begun.
    package static let endReset = InternalOperation<NoBody, Done, BearerRefusal>(
        .post, "/internal/users/me/mfa/reset/end", from: [.gateway], onBehalfOfBearer: true)

    /// Options for a passkey as the second factor; `nil` if the token is not valid, or the user has none.
    package static let options = InternalOperation<
        SecondFactorOptionsRequest, PasskeyOptionsAnswer, InvalidRequestOnly
    >(
        .post, "/internal/users/mfa/options", from: [.gateway])
    package static let prove = InternalOperation<ProveSecondFactorRequest, ProveSecondFactorAnswer, InvalidRequestOnly>(
        .post, "/internal/users/mfa/prove", from: [.gateway])

    /// Begins to remove a user's second factors for the operator, or ends that.
    package static let reset = InternalOperation<ResetSecondFactorRequest, Done, UserRefusal>(
        .post, "/internal/control/users/reset-second-factor", from: [.control], timeLimit: TimeLimit.ofOperators)
}

/// Why the bearer's second factor is not changed.
package enum SecondFactorRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    /// The user is deactivated.
    case accountInactive = "account_inactive"
    /// The user has to show again who they are.
    case reauthenticationRequired = "reauthentication_required"
    /// The session needs a second factor.
    case insufficientAuthentication = "insufficient_user_authentication"
}
