import CryptoPrimitives
package import Logging
package import Policies
package import PostgreSQL
package import ServiceKit
package import Storage
package import UserCore

/// user-service's storage in a schema of a PostgreSQL database, shared by the replicas of all hosts.
package enum UserPostgres {
    /// The schema's name.
    package static let schema = "latchkey_user"

    /// The steps that make the schema.
    package static let migrations = UserSchema.migrations
    /// The tables whose rows are never changed.
    package static let unchangedTables = ["audit", "decisions"]

    /// The database that `USER_DATABASE_URL` names.
    package static let source = StorageSource<UserStorage>.postgreSQL(.user, schema: schema) {
        try open($0, policy: $1.policy, logger: $1.logger, wallClock: $1.wallClock)
    }

    /// Connects to a migrated schema; blocks its thread.
    ///
    /// - Throws: `StorageError` with one line for the operator.
    package static func open(
        _ configuration: PostgreSQLConfiguration, policy: Policy, logger: Logger, wallClock: WallClock? = nil
    ) throws(StorageError) -> UserStorage {
        let database = try PostgreSQLDatabase.open(
            configuration, migrations: migrations, unchangedTables: unchangedTables, logger: logger)
        let wallClock = wallClock ?? WallClock(logger: logger)
        let users = PostgresUserStore(database: database)
        return UserStorage(
            users: users, queries: users, removals: PostgresRemovalStore(database: database),
            outbox: PostgresOutboxStore(database: database), audit: PostgresAuditStore(database: database),
            leases: PostgreSQLLeases(database: database), engine: database,
            sweeper: Sweeper(
                database: database, sweeps: ExpiredRows.sweeps(policy), holder: Hex.encode(SecureRandom.bytes(8)),
                now: { wallClock.secondsForRemovals() }, logger: logger))
    }
}
