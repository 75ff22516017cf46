internal import AccessTokens
internal import Foundation
internal import GRDB
internal import InternalAPI
internal import SQLiteStore

/// The rows of signing keys, shared with the replicas.
struct SigningKeyTable: Sendable {
    /// Adds what the schedule and emergency retirement need.
    static let migration = Migration(
        "key life",
        """
        ALTER TABLE signing_keys ADD COLUMN token_seconds INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE key_revocations (
            kid TEXT PRIMARY KEY,
            holds_until INTEGER NOT NULL,
            published INTEGER NOT NULL
        ) WITHOUT ROWID;
        """)

    private static let columns = "kid, algorithm, state, state_since, created_at, token_seconds, sealed"

    let database: SQLiteDatabase

    /// All keys but those that are gone, oldest first.
    func load() async throws -> [SigningKeyRecord] {
        try await database.read { try Self.load($0) }
    }

    /// Lets `decide` say what becomes of the keys, and does it, in one transaction.
    ///
    /// - Parameters:
    ///   - made: new keys, of which `.make` takes the one of its algorithm; without one the step waits for the next time.
    ///   - decide: pure; gets all keys but those that are gone, oldest first.
    /// - Returns: the steps that were done.
    func change(
        now: Int64, made: [SigningKeyRecord] = [],
        decide: @escaping @Sendable ([SigningKeyRecord]) throws -> [KeyStep]
    ) async throws -> [KeyStep] {
        try await database.write { database in
            try decide(try Self.load(database)).filter { try Self.apply($0, made: made, now: now, in: database) }
        }
    }

    /// Adds a key whose name somebody has chosen, unless `check` throws.
    ///
    /// - Parameter check: gets all keys but those that are gone, and whether any key ever had the name.
    func add(
        _ key: SigningKeyRecord, as event: AuditRecord.Event,
        check: @escaping @Sendable ([SigningKeyRecord], Bool) throws -> Void
    ) async throws {
        try await database.write { database in
            try check(try Self.load(database), try Self.state(of: key.keyID, in: database) != nil)
            try Self.insert(key, as: event, in: database)
        }
    }

    /// Ends a key and leaves the revocation for Redis, in one transaction.
    func end(_ keyID: String, now: Int64) async throws {
        try await database.write { try Self.end(keyID, now: now, in: $0) }
    }

    /// The same inside the caller's transaction.
    static func end(_ keyID: String, now: Int64, in database: Database) throws {
        _ = try apply(.move(keyID, to: .gone), made: [], now: now, in: database)
        try database.cachedStatement(
            sql: "INSERT OR IGNORE INTO key_revocations (kid, holds_until, published) VALUES (?, ?, 0)"
        ).execute(arguments: [keyID, now + KeyRevocation.lifetimeSeconds])
        try AuditRecord(event: .keyRevoked, detail: keyID).insert(at: now, into: database)
    }

    /// The state of a key, also of one that is gone; nil for an unknown one.
    func state(of keyID: String) async throws -> KeyState? {
        try await database.read { try Self.state(of: keyID, in: $0) }
    }

    /// A number that differs from the last one if a replica has written since.
    func foreignVersion() async throws -> Int64 { try await database.foreignVersion() }

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

    /// Does one step; false when there is no key for it.
    private static func apply(
        _ step: KeyStep, made: [SigningKeyRecord], now: Int64, in database: Database
    ) throws -> Bool {
        switch step {
        case .make(let algorithm, let state):
            guard var key = made.first(where: { $0.algorithm == algorithm }) else { return false }
            (key.state, key.stateSince) = (state, now)
            try insert(key, as: .keyMade, in: database)
        case .move(let keyID, let state):
            // What is gone has no more use; its row stays, so that its name is never given twice.
            try database.cachedStatement(
                sql: """
                    UPDATE signing_keys SET state = ?, state_since = ?,
                        sealed = CASE WHEN ? = 'gone' THEN x'' ELSE sealed END
                    WHERE kid = ?
                    """
            ).execute(arguments: [state.rawValue, now, state.rawValue, keyID])
            try AuditRecord(event: .entered(state), detail: keyID).insert(at: now, into: database)
        case .widen(let keyID, let seconds):
            try database.cachedStatement(sql: "UPDATE signing_keys SET token_seconds = ? WHERE kid = ?")
                .execute(arguments: [seconds, keyID])
        }
        return true
    }

    private static func insert(_ key: SigningKeyRecord, as event: AuditRecord.Event, in database: Database) throws {
        try database.cachedStatement(sql: "INSERT INTO signing_keys (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?)").execute(
            arguments: [
                key.keyID, key.algorithm.rawValue, key.state.rawValue, key.stateSince, key.createdAt,
                key.tokenSeconds, Data(key.sealed),
            ])
        try AuditRecord(event: event, detail: key.keyID).insert(at: key.stateSince, into: database)
    }
}
