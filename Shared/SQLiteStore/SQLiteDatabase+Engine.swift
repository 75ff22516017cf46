import Storage

extension SQLiteDatabase: StorageEngine {
    package func isAnswering() async -> Bool {
        guard isSound else { return false }
        do { return try await read { _ in true } } catch { return false }
    }

    package func wipeRemoved() { emptyLogSoon() }
}
