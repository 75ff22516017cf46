import CryptoPrimitives
package import Logging
package import Policies
package import PostgreSQL
package import PrivateFiles
package import SQLiteStore
package import ServiceKit
package import Storage
package import TokenCore
import UserEvents

/// token-service's storage: the file `tokens.sqlite`, shared by the replicas of a host, or a schema of a PostgreSQL database, shared
/// by those of all hosts.
package enum TokenDatabase {
    /// The schema's name.
    package static let schema = "latchkey_token"
    /// The tables whose rows are never changed.
    package static let unchangedTables = ["audit"]
    /// The steps that make the file's tables.
    package static let fileSteps = [
        Migration.first(text(PackageResources.sqlite_sql)), EventRows.fileStep,
    ]
    /// The steps that make the schema.
    package static let schemaSteps = [
        Migration.firstOfSchema(text(PackageResources.postgresql_sql)), EventRows.schemaStep,
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The file in `LATCHKEY_DATA_DIR`.
    package static let file = StorageSource<TokenStorage>.file("tokens.sqlite", table: "sessions") {
        try open(
            path: $0, policy: $1.policy, logger: $1.logger, wallClock: $1.wallClock,
            writesEvents: UserHook.isSet($1.settings))
    }

    /// The database that `TOKEN_DATABASE_URL` names.
    package static let server = StorageSource<TokenStorage>.postgreSQL(.token, schema: schema) {
        try open(
            $0, policy: $1.policy, logger: $1.logger, wallClock: $1.wallClock,
            writesEvents: UserHook.isSet($1.settings))
    }

    /// Opens a file, which other replicas may have open; blocks its thread.
    ///
    /// - Throws: `StorageError` for a file that cannot be used.
    package static func open(
        path: String, policy: Policy, logger: Logger, wallClock: WallClock? = nil, writesEvents: Bool = false
    ) throws -> TokenStorage {
        let database = try SQLiteDatabase.open(
            path: path, migrations: fileSteps, logger: logger,
            afterRestore: { try beginEpoch($0, writesEvents: writesEvents, now: UnixTime.seconds(), in: $1) })
        return storage(database, policy, logger, wallClock, writesEvents: writesEvents)
    }

    /// Connects to a migrated schema; blocks its thread.
    ///
    /// - Throws: `StorageError` with one line for the operator.
    package static func open(
        _ configuration: PostgreSQLConfiguration, policy: Policy, logger: Logger, wallClock: WallClock? = nil,
        writesEvents: Bool = false
    ) throws(StorageError) -> TokenStorage {
        let database = try PostgreSQLDatabase.open(
            configuration, migrations: schemaSteps, unchangedTables: unchangedTables, logger: logger)
        return storage(database, policy, logger, wallClock, writesEvents: writesEvents)
    }

    /// Opens a file for this process only, to move its data to a schema.
    package static func openExclusively(_ path: String, now: Int64) throws(FileFailure) -> ExclusiveFile {
        try ExclusiveFile.open(path, migrations: fileSteps) { try beginEpoch($0, now: now, in: $1) }
    }

    /// Returns the stores over an open database.
    ///
    /// - Parameter writesEvents: Whether revocations add events for the app's back end.
    static func storage(
        _ database: any StorageDatabase, _ policy: Policy, _ logger: Logger, _ wallClock: WallClock?,
        writesEvents: Bool = false
    ) -> TokenStorage {
        let wallClock = wallClock ?? WallClock(logger: logger)
        let (engine, database) = (database, SpannedDatabase.over(database))
        let userIDs = StoredUserID(prefix: policy.userIDPrefix)
        return TokenStorage(
            sessions: Sessions(
                database: database, userIDs: userIDs, auditsRefreshes: policy.audit.refresh == .full,
                writesEvents: writesEvents),
            revocations: Revocations(database: database, userIDs: userIDs),
            keys: SigningKeyRows(database: database), audit: TokenAudit(database: database, userIDs: userIDs),
            events: EventQueue(database: database), counts: HourlyCounts(database: database),
            leases: Leases(database: database), engine: engine,
            sweeper: Sweeper(
                database: database, sweeps: ExpiredRows.sweeps(policy), holder: Hex.encode(SecureRandom.bytes(8)),
                now: { wallClock.secondsForRemovals() }, logger: logger))
    }
}
