internal import GRDB
internal import SQLiteStore

/// What the database knows of a user and of a grant before a session is opened.
struct OpeningFacts {
    /// The highest epoch seen. Nobody's is below the file's: a grant from before a restore is refused.
    let epoch: Int64
    /// The highest version of the user's rights that has been told; 0 while there was no change.
    let version: Int64
    /// The session that the grant has opened already.
    let openedSession: Int64?
    /// The row of the next session, never given before; the writing transaction that reads it has it for itself.
    let nextLocator: Int64

    private static let query = """
        SELECT max(\(Epoch.subquery), coalesce(user_epochs.epoch, 0)), coalesce(version, 0),
            (SELECT session FROM spent_grants WHERE id = ?2),
            1 + coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'sessions'), 0)
        FROM (SELECT 1) LEFT JOIN user_epochs ON user_id = ?1
        """

    /// Reads all of it with one statement.
    ///
    /// - Parameter user: the stored form of his id.
    init(of user: DatabaseValue, grantID: String, in database: Database) throws {
        let facts = try database.cachedStatement(sql: Self.query).first([user, grantID]) { columns in
            OpeningFacts(
                epoch: columns.integer(0), version: columns.integer(1), openedSession: columns.value(2),
                nextLocator: columns.integer(3))
        }
        guard let facts else { throw SQLiteError(.corrupt, "the file has no epoch") }
        self = facts
    }

    private init(epoch: Int64, version: Int64, openedSession: Int64?, nextLocator: Int64) {
        self.epoch = epoch
        self.version = version
        self.openedSession = openedSession
        self.nextLocator = nextLocator
    }
}
