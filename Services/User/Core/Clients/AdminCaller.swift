import InternalAPI

/// The caller of an administrator's operation, as verified by its access token. Whether it is one is decided by its row.
enum AdminCaller: Sendable, Equatable {
    case user(SignedInUser)
    case client(AuthenticatedClient)

    /// The query for the caller's row.
    var subject: UserQuestion.Subject {
        switch self {
        case .user(let user): .user(user.id)
        case .client(let client): .client(client.id)
        }
    }

    /// Requires that the caller's row makes it an administrator.
    func require(_ facts: UserFacts?) throws(AdministratorRefusal) {
        switch self {
        case .user: _ = try AdministratorCheck.administrator(facts?.holder)
        case .client(let client): _ = try client.administrator(facts?.client)
        }
    }
}

/// The client of a request, as verified by its access token.
struct AuthenticatedClient: Sendable, Equatable {
    let id: String
    let sid: String
    /// When the token was issued, which is when the client last showed who it is, in Unix seconds.
    let authenticatedAt: Int64

    /// Returns the row if it is the client of the token, may act, and is an administrator.
    func administrator(_ row: APIClient?) throws(AdministratorRefusal) -> APIClient {
        guard let row, row.revokedAt == nil, row.sidText == sid else { throw AdministratorRefusal(.invalidToken) }
        guard row.role == CreateAdmin.role else { throw AdministratorRefusal(.forbidden) }
        return row
    }
}
