import AccessTokens
import CryptoPrimitives
import InternalAPI
import Storage
import TokenCore

/// The rows of signing keys. All changes of them wait for each other by one lock.
struct SigningKeyRows: SigningKeyStore {
    private static let columns = "kid, algorithm, state, state_since, created_at, token_seconds, sealed"
    private static let presentKeys: SQL = """
        SELECT \(columns) FROM signing_keys WHERE state <> 'gone' ORDER BY created_at, kid
        """
    private static let lock = AdvisoryLock(.whole, "signing keys")

    let database: any StorageDatabase

    func load() async throws -> [SigningKeyRecord] {
        try await database.read { try $0.rows(Self.presentKeys).compactMap(Self.record) }
    }

    func state(of keyID: String) async throws -> KeyState? {
        try await database.read { reading in
            try reading.rows("SELECT state FROM signing_keys WHERE kid = $1", keyID).first
                .flatMap { KeyState(rawValue: $0.text(0)) }
        }
    }

    func apply(_ changes: [KeyChange], on seen: [SigningKeyRecord], now: Int64) async throws -> Applied {
        let name = OperatorName.current
        return try await database.write { transaction in
            transaction.lock(Self.lock)
            let present = try transaction.rows(Self.presentKeys).compactMap(Self.record)
            guard present == seen, try Self.areFree(changes, in: transaction) else { return .stale }
            for change in changes { try Self.apply(change, by: name, now: now, in: transaction) }
            return .applied
        }
    }

    func end(_ keyID: String, now: Int64) async throws {
        let name = OperatorName.current
        try await database.write { transaction in
            transaction.lock(Self.lock)
            try Self.end(keyID, by: name, now: now, in: transaction)
        }
    }

    /// Ends all keys for a new epoch, and lets the ends of earlier ones be published again.
    ///
    /// - Returns: The number of keys.
    static func endAll(by name: OperatorName?, now: Int64, in transaction: any Transaction) throws -> Int {
        transaction.lock(lock)
        try transaction.run("UPDATE key_revocations SET published = false")
        let keys = try transaction.rows("SELECT kid FROM signing_keys WHERE state <> 'gone' ORDER BY kid")
        for key in keys { try end(key.text(0), by: name, now: now, in: transaction) }
        return keys.count
    }

    /// Ends a key inside the caller's transaction, which has the lock.
    private static func end(
        _ keyID: String, by name: OperatorName?, now: Int64, in transaction: any Transaction
    ) throws {
        try apply(.move(keyID, to: .gone), by: name, now: now, in: transaction)
        try transaction.run(
            """
            INSERT INTO key_revocations (kid, holds_until, published) VALUES ($1, $2, false)
            ON CONFLICT (kid) DO NOTHING
            """, keyID, now + KeyRevocation.lifetimeSeconds)
        try AuditRecord(event: .keyRevoked, detail: keyID, operatorName: name).insert(at: now, nil, into: transaction)
    }

    private static let changing: SQL = """
        SELECT kid, state, state_since, token_seconds FROM signing_keys ORDER BY kid
        """

    /// A hash of all keys. Those that are gone are part of it, so that no earlier value returns.
    func changeMark() async throws -> Int64 {
        try await database.read { reading in
            let keys = try reading.rows(Self.changing).map { row in
                "\(row.text(0)) \(row.text(1)) \(row.integer(2)) \(row.integer(3))"
            }
            let hash = SHA256.hash(Array(keys.joined(separator: ",").utf8))
            return Int64(bitPattern: BigEndian.number(hash.prefix(8)))
        }
    }

    func unpublishedRevocations() async throws -> [KeyRevocation] {
        try await revocations(where: "published = false AND holds_until > $1", .min)
    }

    func liveRevocations(now: Int64) async throws -> [KeyRevocation] {
        try await revocations(where: "holds_until > $1", now)
    }

    func markRevocationsPublished(_ keyIDs: [String]) async throws {
        guard !keyIDs.isEmpty else { return }
        try await database.write { transaction in
            transaction.lock(Self.lock)
            for keyID in keyIDs {
                try transaction.run("UPDATE key_revocations SET published = true WHERE kid = $1", keyID)
            }
        }
    }

    private func revocations(where condition: String, _ time: Int64) async throws -> [KeyRevocation] {
        try await database.read { reading in
            try reading.rows("SELECT kid, holds_until FROM key_revocations WHERE \(condition) ORDER BY kid", time)
                .map { KeyRevocation(keyID: $0.text(0), holdsUntil: $0.integer(1)) }
        }
    }
}

// MARK: - Rows

extension SigningKeyRows {
    /// Whether no key ever had one of the names in `changes`.
    private static func areFree(_ changes: [KeyChange], in transaction: any Transaction) throws -> Bool {
        let names = changes.compactMap { change in
            if case .add(let key, _) = change { key.keyID } else { nil }
        }
        return try names.allSatisfy {
            try transaction.rows("SELECT 1 FROM signing_keys WHERE kid = $1", $0).isEmpty
        }
    }

    private static func record(_ row: Row) -> SigningKeyRecord? {
        guard let algorithm = SignatureAlgorithm(rawValue: row.text(1)), let state = KeyState(rawValue: row.text(2))
        else { return nil }
        return SigningKeyRecord(
            keyID: row.text(0), algorithm: algorithm, state: state, stateSince: row.integer(3),
            createdAt: row.integer(4), tokenSeconds: row.integer(5), sealed: row.bytes(6))
    }

    private static func apply(
        _ change: KeyChange, by name: OperatorName?, now: Int64, in transaction: any Transaction
    ) throws {
        switch change {
        case .add(let key, let event):
            try transaction.run(
                "INSERT INTO signing_keys (\(columns)) VALUES ($1, $2, $3, $4, $5, $6, $7)", key.keyID,
                key.algorithm.rawValue, key.state.rawValue, key.stateSince, key.createdAt, key.tokenSeconds, key.sealed)
            try AuditRecord(event: event, detail: key.keyID, operatorName: name)
                .insert(at: key.stateSince, nil, into: transaction)
        case .move(let keyID, let state):
            // A key that is gone is not needed any more. Its row stays, so that its name is never used twice.
            try transaction.run(
                """
                UPDATE signing_keys SET state = $2, state_since = $3, sealed = coalesce($4, sealed) WHERE kid = $1
                """, keyID, state.rawValue, now, state == .gone ? [UInt8]() : nil)
            try AuditRecord(event: .entered(state), detail: keyID, operatorName: name)
                .insert(at: now, nil, into: transaction)
        case .widen(let keyID, let seconds):
            try transaction.run("UPDATE signing_keys SET token_seconds = $2 WHERE kid = $1", keyID, seconds)
        }
    }
}
