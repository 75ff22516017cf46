import GRDB
package import Storage

extension AuditVerification {
    /// Verifies the audit of a file, in use or not, in a snapshot of it.
    ///
    /// - Throws: `corrupt` with the first fault.
    package static func run(file: String) throws(StorageError) -> Slot {
        do {
            guard FileFacts.byteCount(file) > 0 else { throw StorageError(.corrupt, "it is missing or empty") }
            var configuration = Configuration()
            configuration.readonly = true
            let queue = try DatabaseQueue(path: file, configuration: configuration)
            let slot = try queue.read { try ofFile(SQLiteReader($0)) }
            try queue.close()
            return slot
        } catch { throw StorageError(error) }
    }

    /// Returns the only slot of a file.
    static func ofFile(_ reader: any StatementReader) throws -> Slot {
        guard let found = try run(in: reader) else { throw StorageError(.corrupt, "the file has no linked audit") }
        guard let slot = found.slots.first, found.slots.count == 1, slot.number == AuditSlot.ofFile else {
            throw StorageError(.corrupt, "the end of the audit is missing")
        }
        return slot
    }
}
