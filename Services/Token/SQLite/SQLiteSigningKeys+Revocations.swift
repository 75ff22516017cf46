import GRDB
import SQLiteStore
import TokenCore

extension SQLiteSigningKeys {
    func unpublishedRevocations() async throws -> [KeyRevocation] {
        try await revocations(where: "published = 0", [])
    }

    func liveRevocations(now: Int64) async throws -> [KeyRevocation] {
        try await revocations(where: "holds_until > ?", [now])
    }

    func markRevocationsPublished(_ keyIDs: [String]) async throws {
        guard !keyIDs.isEmpty else { return }
        try await database.write { database in
            let statement = try database.cachedStatement(sql: "UPDATE key_revocations SET published = 1 WHERE kid = ?")
            for keyID in keyIDs { try statement.execute(arguments: [keyID]) }
        }
    }

    /// Reads revocations. There are only few rows, one for each emergency.
    private func revocations(where condition: String, _ arguments: [Int64]) async throws -> [KeyRevocation] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: "SELECT kid, holds_until FROM key_revocations WHERE \(condition) ORDER BY kid")
            return try Row.fetchAll(statement, arguments: StatementArguments(arguments))
                .map { KeyRevocation(keyID: $0[0], holdsUntil: $0[1]) }
        }
    }
}
