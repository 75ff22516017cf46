import CryptoPrimitives
package import Logging
package import Policies
package import PrivateFiles
package import SQLiteStore
package import ServiceKit
import Storage
package import UserCore

/// user-service's storage in one SQLite file, `users.sqlite`, shared by the replicas of a host.
package enum UserSQLite {
    /// The steps that make the file's tables.
    package static let migrations = UserSchema.migrations

    /// The file in `LATCHKEY_DATA_DIR`.
    package static let source = StorageSource<UserStorage>(
        check: { _ = try $0.databasePath("users.sqlite") }, open: { try open($0) },
        unused: { UnusedFile.finding(in: "\($0.settings.dataDirectory)/users.sqlite", table: "users") })

    /// Opens the file in `LATCHKEY_DATA_DIR`; blocks its thread.
    ///
    /// - Throws: `SettingsError` for a folder that does not exist, `OpeningFailure` for a file that cannot be used.
    package static func open(_ context: ProcessContext) throws -> UserStorage {
        SQLiteVersion.linked.report(to: context.logger)
        let path = try context.settings.databasePath("users.sqlite")
        do {
            return try open(
                path: path, policy: context.policy, logger: context.logger, wallClock: context.wallClock)
        } catch let error as StorageError { throw OpeningFailure(path, error) }
    }

    /// Opens a file, which other replicas may have open; blocks its thread.
    ///
    /// - Throws: `StorageError` for a file that cannot be used.
    package static func open(
        path: String, policy: Policy, logger: Logger, wallClock: WallClock? = nil
    ) throws -> UserStorage {
        let database = try SQLiteDatabase.open(
            path: path, migrations: migrations, logger: logger,
            afterRestore: { try RestoredFile.begin($0, now: UnixTime.seconds(), in: $1) })
        return storage(
            over: database, policy: policy, logger: logger, wallClock: wallClock ?? WallClock(logger: logger))
    }

    /// Opens a file for this process only, to move its data to another engine.
    package static func openExclusively(_ path: String, now: Int64) throws(FileFailure) -> ExclusiveFile {
        try ExclusiveFile.open(path, migrations: migrations) {
            try RestoredFile.begin($0, now: now, in: $1)
        }
    }

    static func storage(
        over database: SQLiteDatabase, policy: Policy, logger: Logger, wallClock: WallClock
    ) -> UserStorage {
        let users = SQLiteUserStore(database: database)
        return UserStorage(
            users: users, queries: users,
            removals: SQLiteRemovalStore(database: database), outbox: SQLiteOutboxStore(database: database),
            audit: SQLiteAuditStore(database: database), leases: SQLiteLeases(database: database), engine: database,
            sweeper: Sweeper(
                database: database, sweeps: ExpiredRows.sweeps(policy), holder: Hex.encode(SecureRandom.bytes(8)),
                now: { wallClock.secondsForRemovals() }, logger: logger))
    }
}
