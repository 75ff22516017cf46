import InternalAPI
import Storage
import TokenCore

/// The sessions, shared with the replicas.
///
/// Operations on one user wait for each other by a lock on the user's id, and take the rows of sessions in the order of their
/// numbers, as the groups of refreshes do: so they never wait in a circle.
struct Sessions: SessionStore {
    let database: any StorageDatabase
    let userIDs: StoredUserID
    /// Whether successful refreshes leave audit records too (`audit.refresh: full`).
    let auditsRefreshes: Bool
    /// Whether revocations add events for the app's back end.
    let writesEvents: Bool
    let locators: LocatorSupply
    /// The groups of calls on a server; `nil` for a file, whose writer groups commits itself.
    let groups: SessionGroups?

    init(database: any StorageDatabase, userIDs: StoredUserID, auditsRefreshes: Bool, writesEvents: Bool = false) {
        self.writesEvents = writesEvents
        self.database = database
        self.userIDs = userIDs
        self.auditsRefreshes = auditsRefreshes
        locators = LocatorSupply(database: database)
        groups =
            database.kind == .postgreSQL
            ? SessionGroups(database: database, userIDs: userIDs, auditsRefreshes: auditsRefreshes) : nil
    }

    static let byLocator: SQL = "SELECT \(SessionRecord.columns) FROM sessions WHERE locator = $1"
    private static let byGrant: SQL = "SELECT session FROM used_grants WHERE id = $1"
    private static let bySessionID: SQL = "SELECT \(SessionRecord.columns) FROM sessions WHERE sid = $1"

    func confirm() async throws { try await database.confirm() }

    func reserveLocator() async throws -> Int64 { try await locators.next() }

    func session(at locator: Int64) async throws -> SessionRecord? {
        if let groups { return try await groups.reads.run(locator, key: locator) }
        return try await database.readBeforeWrite { try record(Self.byLocator, locator, in: $0) }
    }

    func session(named id: SessionID) async throws -> SessionRecord? {
        try await database.read { try record(Self.bySessionID, id.bytes, in: $0) }
    }

    func durableSession(at locator: Int64) async throws -> SessionRecord? {
        if let groups { return try await groups.durableReads.run(locator, key: locator) }
        return try await session(at: locator)
    }

    func durableSession(named id: SessionID) async throws -> SessionRecord? {
        try await database.readDurably { try record(Self.bySessionID, id.bytes, in: $0) }
    }

    func session(openedBy grantID: String) async throws -> OpenedSession? {
        try await database.readDurably { reader in
            guard let used = try reader.rows(Self.byGrant, grantID).first else { return nil }
            return try record(Self.byLocator, used.integer(0), in: reader).map { .session($0) } ?? .gone
        }
    }

    /// Returns the session that a statement selects.
    func record(_ sql: SQL, _ key: any SQLConvertible, in reader: any StatementReader) throws -> SessionRecord? {
        try reader.rows(sql, key).first.flatMap { SessionRecord($0, userIDs: userIDs) }
    }

    /// Returns the lock on a user.
    func lock(_ userID: String) -> AdvisoryLock { AdvisoryLock(.user, userIDs.value(userID)) }

    /// Locks the rows that `condition` selects and returns them as they are then, in the order of their numbers.
    func lockedRecords(
        _ condition: SQL, _ values: any SQLConvertible..., in transaction: any Transaction
    ) throws -> [SessionRecord] {
        let sql: SQL = """
            SELECT \(SessionRecord.columns) FROM sessions WHERE \(condition) ORDER BY locator\(SQL.forUpdate)
            """
        return try transaction.rows(sql, values).compactMap { SessionRecord($0, userIDs: userIDs) }
    }
}
