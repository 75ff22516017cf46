import CryptoPrimitives
import Storage

extension AuditSlot {
    /// Takes a slot that no other connection has; `nil` if there is none.
    ///
    /// The server's lock of the slot lasts as long as the connection, so no other connection continues the chain.
    static func take(in transaction: any Transaction, schema: String) throws -> AuditSlot? {
        for row in try transaction.rows("SELECT number FROM audit_slots ORDER BY number") {
            let number = row.integer(0)
            let lock = AdvisoryLock(.whole, "audit slot \(number)").order(in: schema).number
            guard try transaction.rows("SELECT pg_try_advisory_lock($1)", lock).first?.boolean(0) == true else {
                continue
            }
            // After the lock: another connection may just have written a record.
            if let slot = try read(number, in: transaction) { return slot }
        }
        return nil
    }

    /// Adds a slot, which only this transaction sees until its COMMIT. Afterwards it is free to be taken.
    static func add(in transaction: any Transaction) throws -> AuditSlot {
        let zeros = [UInt8](repeating: 0, count: SHA256.byteCount)
        transaction.lock(AdvisoryLock(.whole, "audit slots"))
        let added = try transaction.rows(
            """
            INSERT INTO audit_slots (number, newest, newest_hash, removed, removed_hash)
            SELECT coalesce(max(number), 0) + 1, 0, $1, 0, $1 FROM audit_slots RETURNING number
            """, zeros)
        guard let row = added.first else { throw StorageError(.other, "no audit slot was added") }
        return AuditSlot(number: row.integer(0), newest: 0, newestHash: zeros)
    }
}
