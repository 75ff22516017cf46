internal import AccessTokens
internal import Foundation
internal import GRDB
internal import SQLiteStore

/// The rows of signing keys, shared with the replicas.
struct SigningKeyTable: Sendable {
    let database: SQLiteDatabase

    /// All keys but those that are gone, oldest first.
    func load() async throws -> [SigningKeyRecord] {
        try await database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT kid, algorithm, state, state_since, created_at, sealed FROM signing_keys
                    WHERE state <> 'gone' ORDER BY created_at, kid
                    """)
            return try Row.fetchAll(statement).compactMap(Self.record)
        }
    }

    /// Adds `key` unless a replica was faster and the algorithm has a signing key by now.
    func addUnlessPresent(_ key: SigningKeyRecord) async throws {
        try await database.write { database in
            let present = try String.fetchOne(
                database, sql: "SELECT kid FROM signing_keys WHERE algorithm = ? AND state = 'signing'",
                arguments: [key.algorithm.rawValue])
            guard present == nil else { return }
            try database.execute(
                sql: """
                    INSERT INTO signing_keys (kid, algorithm, state, state_since, created_at, sealed)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    key.keyID, key.algorithm.rawValue, key.state.rawValue, key.stateSince, key.createdAt,
                    Data(key.sealed),
                ])
            try AuditRecord(event: .keyMade, detail: key.keyID).insert(at: key.createdAt, into: database)
        }
    }

    /// A number that differs from the last one if a replica has written since.
    func foreignVersion() async throws -> Int64 { try await database.foreignVersion() }

    private static func record(_ row: Row) -> SigningKeyRecord? {
        guard let algorithm = SignatureAlgorithm(rawValue: row[1]), let state = SigningKeyRecord.State(rawValue: row[2])
        else { return nil }
        return SigningKeyRecord(
            keyID: row[0], algorithm: algorithm, state: state, stateSince: row[3], createdAt: row[4],
            sealed: Array(row[5] as Data))
    }
}
