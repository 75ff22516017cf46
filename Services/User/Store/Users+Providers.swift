import InternalAPI
import Storage
import UserCore

/// The users' identities at providers.
extension Users {
    private static let providers: SQL = """
        SELECT kind, value FROM identities WHERE user_id = $1 AND kind NOT IN ('phone', 'email')
        ORDER BY created_at, kind, value
        """

    /// Reads the rows of `seen`, and the users' identities at providers.
    static func seen(_ rows: Rows, in reading: any StatementReader) throws -> [SeenUser] {
        let users = try rows.compactMap { row in
            try UserRows.user(row).map { ($0, row.optionalInteger(UserRows.columnCount)) }
        }
        let identities = try identitiesAtProviders(of: users.map(\.0.id), in: reading)
        return zip(users, identities).map { user, identities in
            SeenUser(user: user.0, lastSignInAt: user.1, identities: identities)
        }
    }

    /// Reads users' identities at Apple and OpenID Connect providers, oldest first, at the places of the users.
    static func identitiesAtProviders(
        of users: [UserID], in reading: any StatementReader
    ) throws -> [[VerifiedIdentity]] {
        try reading.results(users.map { Statement(providers, $0.bytes) }).map { rows in
            rows.compactMap { row in
                VerifiedIdentity.Kind(rawValue: row.text(0)).map { VerifiedIdentity(kind: $0, value: row.text(1)) }
            }
        }
    }
}
