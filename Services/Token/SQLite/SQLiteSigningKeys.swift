import AccessTokens
import Foundation
import GRDB
import InternalAPI
import SQLiteStore
import Storage
import TokenCore

/// The rows of signing keys.
struct SQLiteSigningKeys: SigningKeyStore {
    private static let columns = "kid, algorithm, state, state_since, created_at, token_seconds, sealed"

    let database: SQLiteDatabase

    func load() async throws -> [SigningKeyRecord] {
        try await database.read { try Self.load($0) }
    }

    func apply(_ changes: [KeyChange], on seen: [SigningKeyRecord], now: Int64) async throws -> Applied {
        let name = OperatorName.current
        return try await database.write { database in
            guard try Self.load(database) == seen, try Self.areFree(changes, in: database) else { return .stale }
            for change in changes { try Self.apply(change, by: name, now: now, in: database) }
            return .applied
        }
    }

    func end(_ keyID: String, now: Int64) async throws {
        let name = OperatorName.current
        try await database.write { try Self.end(keyID, by: name, now: now, in: $0) }
    }

    /// Ends a key inside the caller's transaction.
    static func end(_ keyID: String, by name: OperatorName?, now: Int64, in database: Database) throws {
        try apply(.move(keyID, to: .gone), by: name, now: now, in: database)
        try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO key_revocations (kid, holds_until, published) VALUES (?, ?, 0)"
        ).execute(arguments: [keyID, now + KeyRevocation.lifetimeSeconds])
        try AuditRecord(event: .keyRevoked, detail: keyID, operatorName: name).insert(at: now, into: database)
    }

    func state(of keyID: String) async throws -> KeyState? {
        try await database.read { try Self.state(of: keyID, in: $0) }
    }

    func changeMark() async throws -> Int64 { try await database.foreignVersion() }

    /// Whether no key ever had one of the names in `changes`.
    private static func areFree(_ changes: [KeyChange], in database: Database) throws -> Bool {
        for case .add(let key, _) in changes where try state(of: key.keyID, in: database) != nil { return false }
        return true
    }

    private static func load(_ database: Database) throws -> [SigningKeyRecord] {
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns) FROM signing_keys WHERE state <> 'gone' ORDER BY created_at, kid")
        return try Row.fetchAll(statement).compactMap(record)
    }

    private static func state(of keyID: String, in database: Database) throws -> KeyState? {
        let statement = try database.cachedStatement(sql: "SELECT state FROM signing_keys WHERE kid = ?")
        return try String.fetchOne(statement, arguments: [keyID]).flatMap(KeyState.init(rawValue:))
    }

    private static func record(_ row: Row) -> SigningKeyRecord? {
        guard let algorithm = SignatureAlgorithm(rawValue: row[1]), let state = KeyState(rawValue: row[2])
        else { return nil }
        return SigningKeyRecord(
            keyID: row[0], algorithm: algorithm, state: state, stateSince: row[3], createdAt: row[4],
            tokenSeconds: row[5], sealed: Array(row[6] as Data))
    }

    private static func apply(
        _ change: KeyChange, by name: OperatorName?, now: Int64, in database: Database
    ) throws {
        switch change {
        case .add(let key, let event): try insert(key, as: event, by: name, in: database)
        case .move(let keyID, let state):
            // A key that is gone is not needed any more. Its row stays, so that its name is never used twice.
            try database.cachedStatement(
                sql: """
                    UPDATE signing_keys SET state = ?, state_since = ?,
                        sealed = CASE WHEN ? = 'gone' THEN x'' ELSE sealed END
                    WHERE kid = ?
                    """
            ).execute(arguments: [state.rawValue, now, state.rawValue, keyID])
            try AuditRecord(event: .entered(state), detail: keyID, operatorName: name).insert(at: now, into: database)
        case .widen(let keyID, let seconds):
            try database.cachedStatement(sql: "UPDATE signing_keys SET token_seconds = ? WHERE kid = ?")
                .execute(arguments: [seconds, keyID])
        }
    }

    private static func insert(
        _ key: SigningKeyRecord, as event: AuditEvent, by name: OperatorName?, in database: Database
    ) throws {
        try database.cachedStatement(sql: "INSERT INTO signing_keys (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                key.keyID, key.algorithm.rawValue, key.state.rawValue, key.stateSince, key.createdAt,
                key.tokenSeconds, Data(key.sealed),
            ])
        try AuditRecord(event: event, detail: key.keyID, operatorName: name).insert(at: key.stateSince, into: database)
    }
}
