import InternalAPI

extension AdminCaller {
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

extension AuthenticatedClient {
    /// Returns the row if it is the client of the token, may act, and is an administrator.
    func administrator(_ row: APIClient?) throws(AdministratorRefusal) -> APIClient {
        guard let row, row.revokedAt == nil, row.sidText == sid else { throw AdministratorRefusal(.invalidToken) }
        guard row.role == CreateAdmin.role else { throw AdministratorRefusal(.forbidden) }
        return row
    }
}
