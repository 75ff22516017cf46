import Storage
import TokenCore

extension Sessions {
    func noteAuthentication(of id: SessionID, at time: Int64, method: String, now: Int64) async throws -> Bool {
        try await database.write { transaction in
            guard let record = try lockedRecords("sid = $1", id.bytes, in: transaction).first,
                record.revokedFor == nil
            else { return false }
            // A repeat leaves no second record.
            guard time > record.authenticatedAt else { return true }
            try transaction.run(
                "UPDATE sessions SET authenticated_at = $2 WHERE locator = $1", record.locator, time)
            try audit(.reauthenticated, record, detail: method, now: now, in: transaction)
            return true
        }
    }
}
