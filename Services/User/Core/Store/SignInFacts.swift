internal import Foundation
internal import GRDB
internal import InternalAPI
internal import SQLiteStore

/// What the database knows of an identity and of an attestation before a sign-in.
struct SignInFacts {
    /// The file's epoch: that of all tokens and grants from before a restore is below it.
    let epoch: Int64
    /// The user who holds the identity.
    let holder: UserID?
    /// What the attestation led to before.
    let earlier: Resolution?

    private static let query = """
        SELECT \(Epoch.subquery), (SELECT user_id FROM identities WHERE kind = ?1 AND value = ?2),
            user_id, is_new_user, restored
        FROM (SELECT 1) LEFT JOIN resolutions ON attestation_id = ?3
        """

    /// Reads all of it with one statement.
    init(of identity: ProvedIdentity, proofID: String, in database: Database) throws {
        let facts = try database.cachedStatement(sql: Self.query)
            .first([identity.kind.rawValue, identity.value, proofID], SignInFacts.init)
        guard let facts else { throw SQLiteError(.corrupt, "the file has no epoch") }
        self = facts
    }

    private init(_ row: StatementColumns) throws {
        epoch = row.integer(0)
        holder = try Self.userID(row, 1)
        earlier = try Self.userID(row, 2).map {
            Resolution(userID: $0, isNewUser: row.integer(3) != 0, restored: row.integer(4) != 0)
        }
    }

    private static func userID(_ row: StatementColumns, _ index: CInt) throws -> UserID? {
        guard let bytes = row.value(index, as: Data.self) else { return nil }
        guard let id = UserID(bytes: Array(bytes)) else { throw SQLiteError(.corrupt, "a user's id has not 16 bytes") }
        return id
    }
}
