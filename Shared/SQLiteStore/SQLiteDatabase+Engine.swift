import Storage

extension SQLiteDatabase: StorageEngine {
    package func problem() async -> String? {
        guard isSound else { return "its write-ahead log is in an impossible state" }
        do {
            _ = try await read { _ in true }
            return nil
        } catch {
            return "\(error)"
        }
    }

    package func wipeRemoved() { emptyLogSoon() }
}
