/// Operations of user-service for other processes.
package enum UserOperations {
    package static let resolve = InternalOperation<ResolveRequest, ResolveAnswer, ResolveRefusal>(
        .post, "/internal/users/resolve", from: [.gateway])
    /// Details for a client whose `resolve` was refused with `phone_change_pending`,
    /// `second_identity_required`, `second_factor_required` or `deletion_scheduled`.
    package static let heldSignIn = InternalOperation<HeldSignInRequest, HeldSignIn, InvalidRequestOnly>(
        .post, "/internal/users/resolve/held", from: [.gateway])
    package static let readProfile = InternalOperation<NoBody, UserDetails, BearerRefusal>(
        .get, "/internal/users/me", from: [.gateway], onBehalfOfBearer: true)
    package static let updateProfile = InternalOperation<UpdateUserRequest, UserDetails, BearerBodyRefusal>(
        .patch, "/internal/users/me", from: [.gateway], onBehalfOfBearer: true)
    /// Keeps the metadata that came with a request for a code.
    package static let keepMetadata = InternalOperation<FirstMetadataRequest, Done, InvalidRequestOnly>(
        .post, "/internal/users/first-metadata", from: [.gateway])
    /// Gives the bearer, who has just signed in for the first time, the metadata that came with the request for the code.
    package static let adoptMetadata = InternalOperation<NoBody, Done, BearerRefusal>(
        .post, "/internal/users/me/first-metadata", from: [.gateway], onBehalfOfBearer: true)
    package static let deleteAccount = InternalOperation<NoBody, Done, DeleteAccountRefusal>(
        .delete, "/internal/users/me", from: [.gateway], onBehalfOfBearer: true)
    /// Returns a page of everything that is stored about the bearer.
    package static let exportOwn = InternalOperation<ExportRequest, ExportAnswer, ExportRefusal>(
        .post, "/internal/users/me/export", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofExports)
    /// Another kind of device has refreshed the bearer's session than the one that signed in.
    package static let noteOtherDevice = InternalOperation<NoBody, Done, BearerRefusal>(
        .post, "/internal/users/me/other-device", from: [.gateway], onBehalfOfBearer: true)
    package static let reauthenticate = InternalOperation<
        ReauthenticateRequest, ReauthenticateAnswer, BearerBodyRefusal
    >(
        .post, "/internal/users/me/reauthenticate", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofPasswords)
    package static let requestReauthenticationCode = InternalOperation<
        ReauthenticationCodeRequest, OTPRequestAnswer, BearerBodyRefusal
    >(
        .post, "/internal/users/me/reauthenticate/code", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofCodeRequests)
    package static let deleteByProof = InternalOperation<DeleteByProofRequest, DeleteByProofAnswer, InvalidRequestOnly>(
        .post, "/internal/users/delete-by-proof", from: [.gateway])
    package static let listAsAdmin = InternalOperation<ListUsersRequest, UserPage, AdminRefusal>(
        .post, "/internal/users/list", from: [.gateway], onBehalfOfBearer: true)
}

/// Operations of user-service for the operator.
extension UserOperations {
    package static let find = InternalOperation<FindUserRequest, UserSummary, UserRefusal>(
        .post, "/internal/control/users/find", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let list = InternalOperation<ListUsersRequest, UserPage, InvalidRequestOnly>(
        .post, "/internal/control/users/list", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let importUsers = InternalOperation<ImportUsersRequest, ImportUsersAnswer, InvalidRequestOnly>(
        .post, "/internal/control/users/import", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let change = InternalOperation<ChangeUserRequest, ChangedUser, ChangeUserRefusal>(
        .post, "/internal/control/users/change", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let replacePhone = InternalOperation<ReplacePhoneRequest, Done, ChangeUserRefusal>(
        .post, "/internal/control/users/replace-phone", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let count = InternalOperation<NoBody, UserCounts, NoRefusal>(
        .get, "/internal/control/users/count", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let delete = InternalOperation<DeleteUserRequest, DeletionSchedule, UserRefusal>(
        .post, "/internal/control/users/delete", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let restore = InternalOperation<RestoreUserRequest, Done, RestoreUserRefusal>(
        .post, "/internal/control/users/restore", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let export = InternalOperation<ExportUserRequest, UserExport, UserRefusal>(
        .post, "/internal/control/users/export", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let renumber = InternalOperation<RenumberRequest, RenumberPage, InvalidRequestOnly>(
        .post, "/internal/control/users/renumber", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let resubject = InternalOperation<ResubjectRequest, ResubjectAnswer, InvalidRequestOnly>(
        .post, "/internal/control/users/resubject", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let removed = InternalOperation<RemovedUsersRequest, RemovedUsers, InvalidRequestOnly>(
        .post, "/internal/control/users/removed", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let decisions = InternalOperation<DecisionsRequest, DecisionPage, InvalidRequestOnly>(
        .post, "/internal/control/users/decisions", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let reviews = InternalOperation<AccountReviewsRequest, AccountReviewPage, InvalidRequestOnly>(
        .post, "/internal/control/users/reviews", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let clearReview = InternalOperation<ClearReviewRequest, ClearedReview, UserRefusal>(
        .post, "/internal/control/users/clear-review", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let inactive = InternalOperation<InactiveUsersRequest, InactiveUserPage, InvalidRequestOnly>(
        .post, "/internal/control/users/inactive", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let auditTail = InternalOperation<AuditTailRequest, AuditTailPage, InvalidRequestOnly>(
        .post, "/internal/control/audit/tail", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let story = InternalOperation<WholeAuditRequest, StoryPage, UserRefusal>(
        .post, "/internal/control/users/story", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let audit = InternalOperation<AuditRequest, AuditPage, UserRefusal>(
        .post, "/internal/control/audit/list", from: [.control], timeLimit: TimeLimit.ofOperators)
}

/// Why an attestation yields no grant.
package enum ResolveRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// The attestation is forged, expired or used.
    case attestationRefused = "attestation_refused"
    /// The user is deactivated.
    case accountInactive = "account_inactive"
    /// The identity or the password was changed since the event for which the account is under review.
    case accountUnderReview = "account_under_review"
    /// The account is scheduled for deletion, and by policy a sign-in does not cancel that.
    case deletionScheduled = "deletion_scheduled"
    /// The identity belongs to no user, and by policy only invited people become users.
    case notInvited = "not_invited"
    /// An account gets the phone number later (`latchkeyctl users replace-phone`).
    case phoneChangePending = "phone_change_pending"
    /// The user of the phone number was away for so long that it may belong to another person.
    case secondIdentityRequired = "second_identity_required"
    /// The proof is one factor, and the user needs a second one.
    case secondFactorRequired = "second_factor_required"
}

/// Why an operation on a user is refused to the operator.
package enum UserRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// There is no such user.
    case notFound = "not_found"
}

/// Why a change of a user is refused to the operator.
package enum ChangeUserRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// There is no such user.
    case notFound = "not_found"
    /// Another user has the phone number or the email address.
    case taken
}

/// Why a removal is not cancelled.
package enum RestoreUserRefusal: String, RequestBodyRefusal {
    case invalidRequest = "invalid_request"
    /// There is no such user.
    case notFound = "not_found"
    /// The removal is due.
    case removalDue = "removal_due"
}

/// Why a request of an administrator is refused.
package enum AdminRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    /// The administrator is deactivated.
    case accountInactive = "account_inactive"
    /// The user is not, or no longer, an administrator.
    case forbidden
    /// The role needs a second factor.
    case insufficientAuthentication = "insufficient_user_authentication"
}

/// Why the bearer's account is not deleted.
package enum DeleteAccountRefusal: String, BearersRefusal {
    case invalidToken = "invalid_token"
    /// The user is deactivated.
    case accountInactive = "account_inactive"
    /// The user showed too long ago who they are: the request needs the password, or a new proof.
    case reauthenticationRequired = "reauthentication_required"
    /// The user is the last administrator of a deployment with the API for administrators.
    case lastAdministrator = "last_admin"
}

/// Why the bearer's identities may not be changed.
package enum PermitChangeRefusal: String, BearersRefusal {
    case invalidToken = "invalid_token"
    /// The user is deactivated.
    case accountInactive = "account_inactive"
    /// The user showed too long ago who they are: the request needs the password, or a new proof.
    case reauthenticationRequired = "reauthentication_required"
}

/// Why the bearer gets no copy of their data.
package enum ExportRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    /// The user is deactivated.
    case accountInactive = "account_inactive"
    /// The user has to show again who they are.
    case reauthenticationRequired = "reauthentication_required"
}
