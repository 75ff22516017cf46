import Storage
import TokenCore

/// Reads and refreshes of sessions on a server that arrive at the same time, and travel together.
struct SessionGroups: Sendable {
    let reads: GroupedCalls<Int64, SessionRecord?>
    let durableReads: GroupedCalls<Int64, SessionRecord?>
    let refreshes: GroupedCalls<RefreshWrite, Bool>

    init(database: any StorageDatabase, userIDs: StoredUserID, auditsRefreshes: Bool) {
        reads = GroupedCalls { locators in
            try await database.read { try Self.records(locators, userIDs, in: $0) }
        }
        durableReads = GroupedCalls { locators in
            try await database.readDurably { try Self.records(locators, userIDs, in: $0) }
        }
        refreshes = GroupedCalls { writes in
            try await database.write { transaction in
                try RefreshWrite.run(writes, audits: auditsRefreshes, userIDs, in: transaction)
            }
        }
    }

    private static let byLocators: SQL = "SELECT \(SessionRecord.columns) FROM sessions WHERE locator = ANY($1)"

    /// Returns the sessions of row numbers, in their order.
    private static func records(
        _ locators: [Int64], _ userIDs: StoredUserID, in reader: any StatementReader
    ) throws -> [SessionRecord?] {
        let records = try reader.rows(byLocators, SQLValue.integers(locators))
            .compactMap { SessionRecord($0, userIDs: userIDs) }
        return locators.map { locator in records.first { $0.locator == locator } }
    }
}
