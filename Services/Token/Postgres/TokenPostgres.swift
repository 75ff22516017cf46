import CryptoPrimitives
package import Logging
package import Policies
package import PostgreSQL
package import ServiceKit
package import Storage
package import TokenCore

/// token-service's storage in a schema of a PostgreSQL database, shared by the replicas of all hosts.
package enum TokenPostgres {
    /// The schema's name.
    package static let schema = "latchkey_token"

    /// The steps that make the schema.
    package static let migrations = TokenSchema.migrations
    /// The tables whose rows are never changed.
    package static let unchangedTables = ["audit"]

    /// Returns the last block of sessions' row numbers that a file has used, for the sequence `session_blocks`.
    ///
    /// - Parameter locator: The highest number that the file has given out.
    package static func lastBlock(upTo locator: Int64) -> Int64 {
        let (whole, rest) = locator.quotientAndRemainder(dividingBy: LocatorSupply.blockCount)
        return whole + (rest > 0 ? 1 : 0)
    }

    /// Returns a user's id of another form than usual, which a file has as a text.
    package static func storedUserID(text: [UInt8]) -> [UInt8] { StoredUserID.padded(text) }

    /// The database that `TOKEN_DATABASE_URL` names.
    package static let source = StorageSource<TokenStorage>.postgreSQL(.token, schema: schema) {
        try open($0, policy: $1.policy, logger: $1.logger, wallClock: $1.wallClock)
    }

    /// Connects to a migrated schema; blocks its thread.
    ///
    /// - Throws: `StorageError` with one line for the operator.
    package static func open(
        _ configuration: PostgreSQLConfiguration, policy: Policy, logger: Logger, wallClock: WallClock? = nil
    ) throws(StorageError) -> TokenStorage {
        let database = try PostgreSQLDatabase.open(
            configuration, migrations: migrations, unchangedTables: unchangedTables, logger: logger)
        return storage(database, policy, logger, wallClock ?? WallClock(logger: logger))
    }

    /// Returns the stores over an open database.
    static func storage(
        _ database: PostgreSQLDatabase, _ policy: Policy, _ logger: Logger, _ wallClock: WallClock
    ) -> TokenStorage {
        let userIDs = StoredUserID(prefix: policy.userIDPrefix)
        return TokenStorage(
            sessions: PostgresSessionStore(
                database: database, userIDs: userIDs, auditsRefreshes: policy.audit.refresh == .full),
            revocations: PostgresRevocations(database: database, userIDs: userIDs),
            keys: PostgresSigningKeys(database: database),
            audit: PostgresAuditQueries(database: database, userIDs: userIDs),
            leases: PostgreSQLLeases(database: database), engine: database,
            sweeper: Sweeper(
                database: database, sweeps: ExpiredRows.sweeps(policy), holder: Hex.encode(SecureRandom.bytes(8)),
                now: { wallClock.secondsForRemovals() }, logger: logger))
    }
}
