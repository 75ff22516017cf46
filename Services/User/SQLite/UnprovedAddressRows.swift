import GRDB
import InternalAPI
import SQLiteStore
import UserCore

/// Reads and writes unverified email addresses, inside the caller's transaction.
struct UnprovedAddressRows {
    let database: Database

    func claimant(of identity: ProvedIdentity) throws -> UserID? {
        guard identity.kind == .email else { return nil }
        return try database.value("SELECT user_id FROM unproved_addresses WHERE address = ?", [identity.value])
    }

    func insert(_ address: String, of user: UserID, now: Int64) throws {
        try database.run(
            "INSERT INTO unproved_addresses (address, user_id, created_at) VALUES (?, ?, ?)", [address, user, now])
    }

    func deleteAll(of user: UserID) throws {
        try database.run("DELETE FROM unproved_addresses WHERE user_id = ?", [user])
    }

    func delete(_ identity: ProvedIdentity) throws {
        try database.run("DELETE FROM unproved_addresses WHERE address = ?", [identity.value])
    }
}
