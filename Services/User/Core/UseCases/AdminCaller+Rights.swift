import InternalAPI

extension AdminCaller {
    /// The query for the caller's row.
    var subject: UserQuestion.Subject {
        switch self {
        case .user(let user): .user(user.id)
        case .client(let client): .client(client.id)
        // It has no row, and no client has this id.
        case .key: .client("")
        }
    }

    /// Requires that the caller's row has the role, which is mostly that of administrators.
    func require(_ facts: UserFacts?, role: String) throws(AdministratorRefusal) {
        switch self {
        case .user: _ = try AdministratorCheck.administrator(facts?.holder, role: role)
        case .client(let client): _ = try client.administrator(facts?.client, role: role)
        case .key: guard role == CreateAdmin.role else { throw AdministratorRefusal(.forbidden) }
        }
    }
}

extension AuthenticatedClient {
    /// Returns the row if it is the client of the token, may act, and has the role.
    func administrator(_ row: APIClient?, role: String) throws(AdministratorRefusal) -> APIClient {
        guard let row, row.revokedAt == nil, row.sidText == sid else { throw AdministratorRefusal(.invalidToken) }
        guard row.role == role else { throw AdministratorRefusal(.forbidden) }
        return row
    }
}
