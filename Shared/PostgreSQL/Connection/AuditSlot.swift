import CryptoPrimitives
import Storage

/// One of the numbered chains of audit records, which one connection continues at a time.
///
/// The server's lock of the slot lasts as long as the connection, so no other connection continues the chain. A record's number
/// is the next one of its slot and exists once, so a connection that does not know the newest record writes nothing.
struct AuditSlot: Sendable, Equatable {
    let number: Int64
    /// The number and the hash of the newest record; 0 and zeros before the first one.
    private(set) var newest: Int64
    private(set) var newestHash: [UInt8]

    /// Moves the chain's end to the next record.
    mutating func append(_ content: AuditContent) {
        newest += 1
        newestHash = content.hash(after: newestHash, number: newest)
    }

    /// The statement that stores the chain's end.
    var storing: Statement {
        Statement(
            "UPDATE audit_slots SET newest = $2, newest_hash = $3 WHERE number = $1", [number, newest, newestHash])
    }

    /// Takes a slot that no other connection has, or adds one.
    static func take(in transaction: Transaction, schema: String) throws -> AuditSlot {
        for row in try transaction.rows("SELECT number FROM audit_slots ORDER BY number") {
            let lock = AdvisoryLock(.whole, "audit slot \(row.integer(0))").order(in: schema).number
            let isFree = try transaction.rows("SELECT pg_try_advisory_lock($1)", lock).first?.boolean(0) ?? false
            guard isFree else { continue }
            if let slot = try read(row.integer(0), in: transaction) { return slot }
        }
        transaction.lock(AdvisoryLock(.whole, "audit slots"))
        let added = try transaction.rows(
            """
            INSERT INTO audit_slots (number, newest, newest_hash, removed, removed_hash)
            SELECT coalesce(max(number), 0) + 1, 0, $1, 0, $1 FROM audit_slots RETURNING number
            """, [UInt8](repeating: 0, count: SHA256.byteCount))
        let number = added.first?.integer(0) ?? 0
        let lock = AdvisoryLock(.whole, "audit slot \(number)").order(in: schema).number
        let isOurs = try transaction.rows("SELECT pg_try_advisory_lock($1)", lock).first?.boolean(0) ?? false
        guard isOurs, let slot = try read(number, in: transaction) else {
            throw StorageError(.busy, "no audit slot is free")
        }
        return slot
    }

    /// Reads the chain's end, after the slot was locked: another connection may just have written a record.
    private static func read(_ number: Int64, in transaction: Transaction) throws -> AuditSlot? {
        try transaction.rows("SELECT newest, newest_hash FROM audit_slots WHERE number = $1", number).first.map {
            AuditSlot(number: number, newest: $0.integer(0), newestHash: $0.bytes(1))
        }
    }
}
