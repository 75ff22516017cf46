import CryptoPrimitives
import GRDB

/// Writes into the databases of a stack while its processes run, for what is not worth waiting for.
extension LatchkeyStack {
    /// - Parameters:
    ///   - sql: a statement that both engines read, with values of `blob(_:)` and `unixTime`.
    ///   - service: `token` or `user`.
    package func write(_ sql: String, to service: String) async throws {
        if let database {
            _ = try await database.rows(of: service, sql)
            return
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // A checkpoint inside this commit would not be under the engine's lock.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
        try await DatabaseQueue(path: "\(dataDirectory)/\(service)s.sqlite", configuration: configuration)
            .write { try $0.execute(sql: sql) }
    }

    /// Bytes in the SQL of the stack's engine.
    func blob(_ bytes: [UInt8]) -> String { database == nil ? "x'\(Hex.encode(bytes))'" : "'\\x\(Hex.encode(bytes))'" }

    /// The current Unix time in seconds, in the SQL of the stack's engine.
    var unixTime: String { database == nil ? "unixepoch()" : "extract(epoch FROM now())::bigint" }

    /// Makes the change due with which a user gets a phone number or another account, or is removed, and which waits for its time.
    package func endDelay(ofPendingNumberOf user: String) async throws {
        // A change that is due stays as it is: one that is written anew while it is carried out waits for the next round.
        try await write(
            """
            UPDATE pending_changes SET moves_at = \(unixTime)
            WHERE moves_at > \(unixTime) AND user_id = \(id(user))
            """, to: "user")
    }

    /// Lets a user have been away for half a year and a day.
    package func age(_ user: String) async throws {
        let halfYear = 181 * 86_400
        try await write(
            """
            UPDATE identities SET created_at = created_at - \(halfYear), last_used_at = last_used_at - \(halfYear)
            WHERE user_id = \(id(user))
            """, to: "user")
        try await write("UPDATE users SET updated_at = updated_at - \(halfYear) WHERE id = \(id(user))", to: "user")
        try await write(
            "UPDATE sessions SET last_used_at = last_used_at - \(halfYear) WHERE user_id = \(id(user))", to: "token")
    }

    private func id(_ user: String) -> String { blob(Hex.decode(String(user.suffix(32))) ?? []) }
}
