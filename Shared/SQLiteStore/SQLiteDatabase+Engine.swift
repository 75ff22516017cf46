import Storage

extension SQLiteDatabase: StorageEngine {
    package func isAnswering() async -> Bool {
        do { return try await read { _ in true } } catch { return false }
    }

    package func wipeRemoved() { emptyLogSoon() }
}
