package import AuthAPI

/// Operations of user-service for administrators, who are identified by their own access tokens. Whether the bearer is one is
/// decided by their row.
package enum AdminOperations {
    package static let search = InternalOperation<AdminRequest<SearchUsersRequest>, UserPage, AdminRefusal>(
        .post, "/internal/admin/users/search", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let read = InternalOperation<AdminRequest<FindUserRequest>, UserSummary, AdminReadRefusal>(
        .post, "/internal/admin/users/read", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let sessions = InternalOperation<AdminRequest<UserSessionsRequest>, SessionList, AdminReadRefusal>(
        .post, "/internal/admin/users/sessions", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let story = InternalOperation<AdminRequest<WholeAuditRequest>, StoryPage, AdminReadRefusal>(
        .post, "/internal/admin/users/story", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let audit = InternalOperation<AdminRequest<WholeAuditRequest>, WholeAuditPage, AdminReadRefusal>(
        .post, "/internal/admin/audit", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
    package static let keys = InternalOperation<AdminRequest<NoBody>, KeyList, AdminReadRefusal>(
        .post, "/internal/admin/keys", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
    package static let spend = InternalOperation<AdminRequest<GuardReportRequest>, GuardReport, AdminReadRefusal>(
        .post, "/internal/admin/spend", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
    package static let trace = InternalOperation<AdminRequest<TraceRequest>, TraceAnswer, AdminReadRefusal>(
        .post, "/internal/admin/trace", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
    package static let today = InternalOperation<AdminRequest<NoBody>, TodayReport, AdminReadRefusal>(
        .post, "/internal/admin/today", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
    package static let series = InternalOperation<AdminRequest<SeriesRequest>, CountSeries, AdminReadRefusal>(
        .post, "/internal/admin/series", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
    /// Asks whether the bearer may read the policy, which the gateway has.
    package static let policy = InternalOperation<AdminRequest<NoBody>, Done, AdminReadRefusal>(
        .post, "/internal/admin/policy", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
    package static let change = InternalOperation<AdminRequest<ChangeUserRequest>, UserSummary, AdminChangeRefusal>(
        .post, "/internal/admin/users/change", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let create = InternalOperation<AdminRequest<CreateUserRequest>, UserSummary, AdminChangeRefusal>(
        .post, "/internal/admin/users/create", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let endSessions = InternalOperation<
        AdminRequest<EndUserSessionsRequest>, EndSessionsAnswer, AdminChangeRefusal
    >(
        .post, "/internal/admin/users/end-sessions", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let delete = InternalOperation<
        AdminRequest<DeleteUserRequest>, DeletionSchedule, AdminChangeRefusal
    >(
        .post, "/internal/admin/users/delete", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let restore = InternalOperation<AdminRequest<RestoreUserRequest>, Done, AdminChangeRefusal>(
        .post, "/internal/admin/users/restore", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let unlock = InternalOperation<AdminRequest<NumberRequest>, UnlockedNumber, AdminChangeRefusal>(
        .post, "/internal/admin/unlock", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
    package static let reviewAccess = InternalOperation<AdminRequest<ReviewListRequest>, ReviewList, AdminReadRefusal>(
        .post, "/internal/admin/review-access", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let openReviewAccess = InternalOperation<
        AdminRequest<ReviewAccessRequest>, ReviewAccess, AdminReviewAccessRefusal
    >(
        .post, "/internal/admin/review-access/open", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let endReviewAccess = InternalOperation<
        AdminRequest<NumberRequest>, EndedReview, AdminChangeRefusal
    >(
        .post, "/internal/admin/review-access/end", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let replacePhone = InternalOperation<AdminRequest<ReplacePhoneRequest>, Done, AdminChangeRefusal>(
        .post, "/internal/admin/users/replace-phone", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let reviews = InternalOperation<
        AdminRequest<AccountReviewsRequest>, AccountReviewPage, AdminRefusal
    >(
        .post, "/internal/admin/reviews", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
    package static let clearReview = InternalOperation<
        AdminRequest<ClearReviewRequest>, ClearedReview, AdminChangeRefusal
    >(
        .post, "/internal/admin/reviews/clear", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let act = InternalOperation<AdminRequest<FindUserRequest>, ActingToken, AdminChangeRefusal>(
        .post, "/internal/admin/users/act", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
    package static let invite = InternalOperation<AdminRequest<InviteRequest>, InviteAnswer, AdminChangeRefusal>(
        .post, "/internal/admin/invite", from: [.gateway], onBehalfOfBearer: true, timeLimit: TimeLimit.ofOperators)
}

/// Why an administrator's change of a user is refused.
package enum AdminChangeRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    /// The administrator is deactivated.
    case accountInactive = "account_inactive"
    /// The user is not, or no longer, an administrator.
    case forbidden
    /// The role needs a second factor.
    case insufficientAuthentication = "insufficient_user_authentication"
    /// The administrator showed too long ago who they are.
    case reauthenticationRequired = "reauthentication_required"
    case noSuchUser = "no_such_user"
    /// The user has no such session.
    case notFound = "not_found"
    /// The user was changed since the administrator read them.
    case versionMismatch = "version_mismatch"
    /// Without the user there would be no administrator.
    case lastAdministrator = "last_admin"
    /// Another user has the phone number or the email address.
    case taken
    /// The removal is due.
    case removalDue = "removal_due"
    /// The invited person already has an account.
    case alreadyUser = "already_user"
}

/// Why an administrator gives a phone number no review access.
package enum AdminReviewAccessRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    /// The administrator is deactivated.
    case accountInactive = "account_inactive"
    /// The user is not, or no longer, an administrator.
    case forbidden
    /// The role needs a second factor.
    case insufficientAuthentication = "insufficient_user_authentication"
    /// The administrator showed too long ago who they are.
    case reauthenticationRequired = "reauthentication_required"
    /// The number has an account that no review access has made.
    case taken
    /// The policy sends no codes to phones.
    case noCodes = "no_codes"
    /// The policy sends no codes to the number's country.
    case blockedCountry = "blocked_country"
    /// The maximum number of review accesses is open.
    case tooMany = "too_many"
}

/// Why an administrator may not read something of a user.
package enum AdminReadRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    /// The administrator is deactivated.
    case accountInactive = "account_inactive"
    /// The user is not, or no longer, an administrator.
    case forbidden
    /// The role needs a second factor.
    case insufficientAuthentication = "insufficient_user_authentication"
    case noSuchUser = "no_such_user"
}
