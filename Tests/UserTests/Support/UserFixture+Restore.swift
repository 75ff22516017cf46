import SQLiteStore

@testable import UserCore
@testable import UserSQLite

extension UserFixture {
    /// Takes a backup, restores it without the users `ids`, and opens that file as user-service does.
    func restored(without ids: [UserID] = []) async throws -> SQLiteDatabase {
        let (backup, data, now) = (folder + "/backup", folder + "/data", clock.seconds)
        _ = try Backup(of: Self.databases(in: folder)).take(to: backup, now: 100)
        _ = try Restore(
            from: backup, dataDirectory: data, databases: Self.databases(in: data),
            removals: .init(from: "users.sqlite", ids: ids.map(\.bytes))
        ).run(now: now)
        return try SQLiteDatabase.open(
            path: data + "/users.sqlite", migrations: UserSchema.migrations, logger: logger,
            afterRestore: { try RestoredFile.begin($0, now: now, in: $1) })
    }

    private static func databases(in folder: String) -> [DatabaseLocation] {
        [DatabaseLocation(name: "users.sqlite", path: folder + "/users.sqlite")]
    }
}
