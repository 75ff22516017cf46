import FoundationEssentials

/// A folder of its own in the temporary folder.
enum ScratchFolder {
    /// Runs `body` with the path of a new folder, and removes it with all its files on every path.
    static func run<Value: Sendable>(_ name: String, _ body: (String) async throws -> Value) async throws -> Value {
        let path = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "\(name)-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        do {
            let value = try await body(path)
            try FileManager.default.removeItem(atPath: path)
            return value
        } catch {
            try FileManager.default.removeItem(atPath: path)
            throw error
        }
    }
}
