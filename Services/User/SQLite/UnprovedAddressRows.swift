import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import Storage
import UserCore

/// Addresses that nobody has proved, in a table that older versions do not know; inside the caller's transaction.
struct UnprovedAddressRows {
    static let migration = Migration(
        "unproved addresses",
        """
        CREATE TABLE unproved_addresses (
            address TEXT PRIMARY KEY,
            user_id BLOB NOT NULL REFERENCES users (id) ON DELETE CASCADE,
            created_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX unproved_addresses_by_user ON unproved_addresses (user_id)
        """)

    let database: Database

    func claimant(of identity: ProvedIdentity) throws -> UserID? {
        guard identity.kind == .email else { return nil }
        let statement = try database.cachedStatement(sql: "SELECT user_id FROM unproved_addresses WHERE address = ?")
        return try Data.fetchOne(statement, arguments: [identity.value]).flatMap { UserID(bytes: Array($0)) }
    }

    func insert(_ address: String, of user: UserID, now: Int64) throws {
        try database.cachedStatement(
            sql: "INSERT INTO unproved_addresses (address, user_id, created_at) VALUES (?, ?, ?)"
        ).execute(arguments: [address, Data(user.bytes), now])
    }

    func delete(_ identity: ProvedIdentity) throws {
        try database.cachedStatement(sql: "DELETE FROM unproved_addresses WHERE address = ?")
            .execute(arguments: [identity.value])
    }
}
