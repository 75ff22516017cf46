/// Operations of user-service on accounts with an email address and a password.
package enum AccountOperations {
    package static let register = InternalOperation<RegisterRequest, AccountAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/register", from: [.gateway], timeLimit: TimeLimit.ofPasswords)
    package static let confirm = InternalOperation<AccountLinkRequest, AccountAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/confirm", from: [.gateway], timeLimit: TimeLimit.ofPasswords)
    package static let resendConfirmation = InternalOperation<AccountMailRequest, AccountAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/resend-confirmation", from: [.gateway])
    package static let forgotPassword = InternalOperation<AccountMailRequest, AccountAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/forgot-password", from: [.gateway])
    package static let prove = InternalOperation<PasswordProofRequest, AccountAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/prove", from: [.gateway], timeLimit: TimeLimit.ofPasswords)
    package static let resetPassword = InternalOperation<AccountLinkRequest, AccountAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/reset-password", from: [.gateway], timeLimit: TimeLimit.ofPasswords)
    /// Signs in with the link or the code of a forgotten password. The session may set one password soon.
    package static let recover = InternalOperation<AccountLinkRequest, AccountAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/recover", from: [.gateway])
    package static let readResetLink = InternalOperation<ResetLinkRequest, ResetLinkAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/read-reset-link", from: [.gateway])
    package static let confirmAddress = InternalOperation<AccountLinkRequest, AccountAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/confirm-address", from: [.gateway])
    package static let readNotMeForm = InternalOperation<NotMeFormRequest, NotMeForm, InvalidRequestOnly>(
        .post, "/internal/accounts/not-me/form", from: [.gateway])
    package static let reportNotMe = InternalOperation<NotMeReport, AccountAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/not-me", from: [.gateway])
    package static let changePassword = InternalOperation<ChangePasswordRequest, AccountAnswer, BearerBodyRefusal>(
        .post, "/internal/accounts/change-password", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofPasswords)
    package static let deleteByPassword = InternalOperation<
        DeleteByPasswordRequest, AccountAnswer, BearerBodyRefusal
    >(
        .post, "/internal/accounts/delete", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofPasswords)
    package static let welcome = InternalOperation<WelcomeRequest, WelcomeAnswer, InvalidRequestOnly>(
        .post, "/internal/accounts/welcome", from: [.gateway])
}

/// Operations on accounts for the operator.
extension AccountOperations {
    package static let createAdmin = InternalOperation<CreateAdminRequest, CreatedUser, CreateAdminRefusal>(
        .post, "/internal/control/accounts/create-admin", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let invite = InternalOperation<InviteRequest, InviteAnswer, InviteRefusal>(
        .post, "/internal/control/accounts/invite", from: [.control], timeLimit: TimeLimit.ofOperators)
}

/// Why no administrator is created.
package enum CreateAdminRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    case weakPassword = "weak_password"
    /// The address belongs to a user already.
    case addressTaken = "address_taken"
    /// The policy has no section `passwords`.
    case noPasswords = "no_passwords"
}

/// Why an invitation is refused.
package enum InviteRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// The person already has an account.
    case alreadyUser = "already_user"
}
