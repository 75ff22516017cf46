import Foundation

/// Runs `body` with the path of a new folder, which has an empty folder `data`, and removes it with all its files.
package func withScratchFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "latchkey-scratch-\(UUID().uuidString)")
        .path(percentEncoded: false)
    try FileManager.default.createDirectory(
        atPath: folder + "/data", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("scratch folder stays: \(folder)") }
    }
    return try await body(folder)
}
