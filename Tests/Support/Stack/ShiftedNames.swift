import Foundation

/// Names that a test resolves for programs that it starts (`deploy/lib/names-shift.c`).
package struct ShiftedNames: Sendable {
    package struct NotBuilt: Error {}

    private let folder: String

    /// The variables that give a program these names.
    package var environment: [String: String] {
        ["LD_PRELOAD": folder + "/names-shift.so", "NAMES_FILE": folder + "/names"]
    }

    /// - Parameter names: An IP address for each name, or `none`, or `hang` for a name whose DNS never replies.
    package init(_ names: [String: String]) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "latchkey-names-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder.path(percentEncoded: false)
        let made = try await Shell.run(
            "clang -shared -fPIC -O1 -o '\(self.folder)/names-shift.so' '\(LatchkeyStack.root)deploy/lib/names-shift.c'",
            in: "/")
        guard made.isSuccess else { throw NotBuilt() }
        try set(names)
    }

    /// Replaces all names.
    package func set(_ names: [String: String]) throws {
        let lines = names.map { "\($0) \($1)\n" }.joined()
        try Data(lines.utf8).write(to: URL(filePath: folder + "/names"), options: .atomic)
    }

    /// Removes the files.
    package func remove() throws { try FileManager.default.removeItem(atPath: folder) }
}
