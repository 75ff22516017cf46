import InternalAPI
import PostgreSQL
import Storage
import TokenCore

/// The sessions, shared with the replicas on all hosts.
///
/// Operations on one user wait for each other by a lock on the user's id, and take the rows of sessions in the order of their
/// numbers, as the groups of refreshes do: so they never wait in a circle.
struct PostgresSessionStore: SessionStore {
    let database: PostgreSQLDatabase
    let userIDs: StoredUserID
    let locators: LocatorSupply
    private let reads: GroupedCalls<Int64, SessionRecord?>
    private let durableReads: GroupedCalls<Int64, SessionRecord?>
    let refreshes: GroupedCalls<RefreshWrite, Bool>

    /// - Parameter auditsRefreshes: whether successful refreshes leave audit records too (`audit.refresh: full`).
    init(database: PostgreSQLDatabase, userIDs: StoredUserID, auditsRefreshes: Bool) {
        self.database = database
        self.userIDs = userIDs
        locators = LocatorSupply(database: database)
        reads = GroupedCalls { locators in
            try await database.read { try Self.records(locators, userIDs, in: $0) }
        }
        // The commit of a transaction that only reads waits like that of a change.
        durableReads = GroupedCalls { locators in
            try await database.write { try Self.records(locators, userIDs, in: $0) }
        }
        refreshes = GroupedCalls { writes in
            try await database.write { transaction in
                try RefreshWrite.run(writes, audits: auditsRefreshes, userIDs, in: transaction)
            }
        }
    }

    private static let byLocators = "SELECT \(SessionRecord.columns) FROM sessions WHERE locator = ANY($1)"
    private static let bySessionID = "SELECT \(SessionRecord.columns) FROM sessions WHERE sid = $1"

    /// Returns the sessions of row numbers, in their order.
    private static func records(
        _ locators: [Int64], _ userIDs: StoredUserID, in reader: some StatementReader
    ) throws -> [SessionRecord?] {
        let records = try reader.rows(byLocators, SQLValue.array(locators))
            .compactMap { SessionRecord($0, userIDs: userIDs) }
        return locators.map { locator in records.first { $0.locator == locator } }
    }

    func confirm() async throws { try await database.confirm() }

    func reserveLocator() async throws -> Int64 { try await locators.next() }

    func session(at locator: Int64) async throws -> SessionRecord? { try await reads.run(locator, key: locator) }

    func session(named id: SessionID) async throws -> SessionRecord? {
        try await database.read { reading in
            try reading.rows(Self.bySessionID, id.bytes).first.flatMap { SessionRecord($0, userIDs: userIDs) }
        }
    }

    func durableSession(at locator: Int64) async throws -> SessionRecord? {
        try await durableReads.run(locator, key: locator)
    }

    func durableSession(named id: SessionID) async throws -> SessionRecord? {
        try await database.write { transaction in
            try transaction.rows(Self.bySessionID, id.bytes).first.flatMap { SessionRecord($0, userIDs: userIDs) }
        }
    }

    /// Returns the lock on a user.
    func lock(_ userID: String) -> AdvisoryLock { AdvisoryLock(.user, userIDs.value(userID)) }

    /// Locks the rows that `condition` selects and returns them as they are then, in the order of their numbers.
    func lockedRecords(
        _ condition: String, _ values: any SQLConvertible..., in transaction: Transaction
    ) throws -> [SessionRecord] {
        let sql = "SELECT \(SessionRecord.columns) FROM sessions WHERE \(condition) ORDER BY locator FOR UPDATE"
        return try transaction.rows(sql, values).compactMap { SessionRecord($0, userIDs: userIDs) }
    }
}
