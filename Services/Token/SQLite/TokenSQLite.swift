import CryptoPrimitives
package import Logging
package import Policies
package import PrivateFiles
package import SQLiteStore
package import ServiceKit
import Storage
package import TokenCore

/// token-service's storage in one SQLite file, `tokens.sqlite`, shared by the replicas of a host.
package enum TokenSQLite {
    /// The steps that make the file's tables.
    package static let migrations = TokenSchema.migrations

    /// The file in `LATCHKEY_DATA_DIR`.
    package static let source = StorageSource<TokenStorage>(
        check: { _ = try $0.databasePath("tokens.sqlite") }, open: { try open($0) },
        unused: { UnusedFile.finding(in: "\($0.settings.dataDirectory)/tokens.sqlite", table: "sessions") })

    /// Opens the file in `LATCHKEY_DATA_DIR`; blocks its thread.
    ///
    /// - Throws: `SettingsError` for a folder that does not exist, `OpeningFailure` for a file that cannot be used.
    package static func open(_ context: ProcessContext) throws -> TokenStorage {
        SQLiteVersion.linked.report(to: context.logger)
        let path = try context.settings.databasePath("tokens.sqlite")
        do {
            return try open(
                path: path, policy: context.policy, logger: context.logger, wallClock: context.wallClock)
        } catch let error as StorageError { throw OpeningFailure(path, error) }
    }

    /// Opens a file as an additional replica; blocks its thread.
    ///
    /// - Throws: `StorageError` for a file that cannot be used.
    package static func open(
        path: String, policy: Policy, logger: Logger, wallClock: WallClock? = nil
    ) throws -> TokenStorage {
        let database = try SQLiteDatabase.open(
            path: path, migrations: migrations, logger: logger,
            afterRestore: { try RestoredFile.begin($0, now: UnixTime.seconds(), in: $1) })
        return storage(database, policy, logger, wallClock ?? WallClock(logger: logger))
    }

    /// Opens a file for this process only, to move its data to another engine.
    package static func openExclusively(_ path: String, now: Int64) throws(FileFailure) -> ExclusiveFile {
        try ExclusiveFile.open(path, migrations: migrations) {
            try RestoredFile.begin($0, now: now, in: $1)
        }
    }

    /// Returns the stores over an open file.
    static func storage(
        _ database: SQLiteDatabase, _ policy: Policy, _ logger: Logger, _ wallClock: WallClock
    ) -> TokenStorage {
        let userIDs = StoredUserID(prefix: policy.userIDPrefix)
        return TokenStorage(
            sessions: SQLiteSessionStore(
                database: database, userIDs: userIDs, auditsRefreshes: policy.audit.refresh == .full,
                locators: LocatorSupply(database: database)),
            revocations: SQLiteRevocations(database: database, userIDs: userIDs),
            keys: SQLiteSigningKeys(database: database),
            audit: SQLiteAuditQueries(database: database, userIDs: userIDs),
            leases: SQLiteLeases(database: database), engine: database,
            sweeper: Sweeper(
                database: database, sweeps: ExpiredRows.sweeps(policy), holder: Hex.encode(SecureRandom.bytes(8)),
                now: { wallClock.secondsForRemovals() }, logger: logger))
    }
}
