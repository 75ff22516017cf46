import CryptoPrimitives
package import Logging
package import Policies
package import PostgreSQL
package import PrivateFiles
package import SQLiteStore
package import ServiceKit
package import Storage
package import UserCore
import UserEvents

/// user-service's storage: the file `users.sqlite`, shared by the replicas of a host, or a schema of a PostgreSQL database, shared
/// by those of all hosts.
package enum UserDatabase {
    /// The schema's name.
    package static let schema = "latchkey_user"
    /// The tables whose rows are never changed.
    package static let unchangedTables = ["audit", "decisions"]
    /// The steps that make the file's tables.
    package static let fileSteps = [
        Migration.first(text(PackageResources.sqlite_sql + PackageResources.factors_sqlite_sql)), EventRows.fileStep,
    ]
    /// The steps that make the schema.
    package static let schemaSteps = [
        Migration.firstOfSchema(
            text(PackageResources.postgresql_sql + PackageResources.factors_postgresql_sql)), EventRows.schemaStep,
    ]

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The file in `LATCHKEY_DATA_DIR`.
    package static let file = StorageSource<UserStorage>.file("users.sqlite", table: "users") {
        try open(
            path: $0, policy: $1.policy, logger: $1.logger, wallClock: $1.wallClock,
            writesEvents: UserHook.isSet($1.settings))
    }

    /// The database that `USER_DATABASE_URL` names.
    package static let server = StorageSource<UserStorage>.postgreSQL(.user, schema: schema) {
        try open(
            $0, policy: $1.policy, logger: $1.logger, wallClock: $1.wallClock,
            writesEvents: UserHook.isSet($1.settings))
    }

    /// Opens a file, which other replicas may have open; blocks its thread.
    ///
    /// - Throws: `StorageError` for a file that cannot be used.
    package static func open(
        path: String, policy: Policy, logger: Logger, wallClock: WallClock? = nil, writesEvents: Bool = false
    ) throws -> UserStorage {
        let database = try SQLiteDatabase.open(
            path: path, migrations: fileSteps, logger: logger,
            afterRestore: { try beginEpochOfFile($0, writesEvents: writesEvents, now: UnixTime.seconds(), in: $1) })
        return storage(
            over: database, policy: policy, logger: logger, wallClock: wallClock, writesEvents: writesEvents)
    }

    /// Connects to a migrated schema; blocks its thread.
    ///
    /// - Throws: `StorageError` with one line for the operator.
    package static func open(
        _ configuration: PostgreSQLConfiguration, policy: Policy, logger: Logger, wallClock: WallClock? = nil,
        writesEvents: Bool = false
    ) throws(StorageError) -> UserStorage {
        let database = try PostgreSQLDatabase.open(
            configuration, migrations: schemaSteps, unchangedTables: unchangedTables, logger: logger)
        return storage(
            over: database, policy: policy, logger: logger, wallClock: wallClock, writesEvents: writesEvents)
    }

    /// Opens a file for this process only, to move its data to a schema.
    package static func openExclusively(_ path: String, now: Int64) throws(FileFailure) -> ExclusiveFile {
        try ExclusiveFile.open(path, migrations: fileSteps) { try beginEpochOfFile($0, now: now, in: $1) }
    }

    /// Acts on a restore of the file, with the lists that it has noted.
    static func beginEpochOfFile(
        _ floor: Int64, writesEvents: Bool = true, now: Int64, in transaction: any Transaction
    ) throws {
        try beginEpoch(
            floor, removed: OrderedRemovals.ids(in: transaction), decisions: OrderedDecisions.rows(in: transaction),
            writesEvents: writesEvents, now: now, in: transaction)
        try OrderedRemovals.clear(in: transaction)
        try OrderedDecisions.clear(in: transaction)
    }

    /// Returns the stores over an open database.
    ///
    /// - Parameter writesEvents: Whether changes of users add events for the app's back end.
    static func storage(
        over database: any StorageDatabase, policy: Policy, logger: Logger, wallClock: WallClock?,
        writesEvents: Bool = false
    ) -> UserStorage {
        let wallClock = wallClock ?? WallClock(logger: logger)
        let (engine, database) = (database, SpannedDatabase.over(database))
        let users = Users(database: database, writesEvents: writesEvents)
        return UserStorage(
            users: users, queries: users, removals: Removals(database: database, writesEvents: writesEvents),
            outbox: Outbox(database: database), events: EventQueue(database: database),
            audit: AuditMoves(database: database), counts: HourlyCounts(database: database),
            leases: Leases(database: database), engine: engine,
            sweeper: Sweeper(
                database: database, sweeps: ExpiredRows.sweeps(policy), holder: Hex.encode(SecureRandom.bytes(8)),
                now: { wallClock.secondsForRemovals() }, logger: logger))
    }
}
