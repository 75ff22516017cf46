/// Operations of user-service for administrators, who are identified by their own access tokens. Whether the bearer is one is
/// decided by their row.
package enum AdminOperations {
    package static let search = InternalOperation<AdminRequest<SearchUsersRequest>, UserPage, AdminRefusal>(
        .post, "/internal/admin/users/search", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
    package static let read = InternalOperation<AdminRequest<FindUserRequest>, UserSummary, AdminReadRefusal>(
        .post, "/internal/admin/users/read", from: [.gateway], onBehalfOfBearer: true,
        timeLimit: TimeLimit.ofOperators)
}

/// Why an administrator may not read something of a user.
package enum AdminReadRefusal: String, RequestBodyRefusal, BearersRefusal {
    case invalidRequest = "invalid_request"
    case invalidToken = "invalid_token"
    /// The administrator is deactivated.
    case accountInactive = "account_inactive"
    /// The user is not, or no longer, an administrator.
    case forbidden
    case noSuchUser = "no_such_user"
}
