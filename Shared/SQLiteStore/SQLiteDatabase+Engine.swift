import Storage

extension SQLiteDatabase {
    package func problem() async -> String? {
        guard isSound else { return "its write-ahead log is in an impossible state" }
        do {
            _ = try await withReader { _ in true }
            return nil
        } catch {
            return "\(error)"
        }
    }

}
