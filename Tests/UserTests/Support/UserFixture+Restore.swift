import SQLiteStore
import Storage

@testable import UserCore
@testable import UserTables

extension UserFixture {
    /// Takes a backup, restores it without the users `ids` and with the decisions that `later` returns, and opens that file as
    /// user-service does.
    func restored(
        without ids: [UserID] = [], writesEvents: Bool = true, _ later: () async throws -> [OrderedDecision]? = { nil }
    ) async throws -> SQLiteDatabase {
        let (backup, data, now) = (folder + "/backup", folder + "/data", clock.seconds)
        _ = try Backup(of: Self.databases(in: folder)).take(to: backup, now: 100)
        let decisions = try await later()
        _ = try Restore(
            from: backup, dataDirectory: data, databases: Self.databases(in: data),
            later: .init(in: "users.sqlite", removed: ids.map(\.bytes), decisions: decisions)
        ).run(now: now)
        return try SQLiteDatabase.open(
            path: data + "/users.sqlite", migrations: UserDatabase.fileSteps, logger: logger,
            afterRestore: { try UserDatabase.beginEpochOfFile($0, writesEvents: writesEvents, now: now, in: $1) })
    }

    private static func databases(in folder: String) -> [DatabaseLocation] {
        [DatabaseLocation(name: "users.sqlite", path: folder + "/users.sqlite", migrations: UserDatabase.fileSteps)]
    }
}
