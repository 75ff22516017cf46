import ArgumentParser
import SQLiteStore

/// `latchkeyctl audit verify FILE`
struct AuditVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks that no audit row was changed, removed or inserted.",
        discussion: """
            Each row has a hash over the row before it and itself. A person who can write to the file can write a whole new \
            audit: to notice that, compare it with the hash of the newest row in the manifest of a backup.
            """)

    @Argument(help: "tokens.sqlite or users.sqlite, in use or from a backup.")
    var file: String

    func run() async throws { print(try Self.verify(file)) }

    /// Returns the line to print.
    ///
    /// - Throws: `CommandFailure` that identifies the first bad row.
    static func verify(_ file: String) throws -> String {
        let found: AuditVerification
        do { found = try AuditVerification.run(file: file) } catch {
            throw CommandFailure(description: "\(file): \(error)")
        }
        let older = found.unlinkedRows == 0 ? "" : " (and \(found.unlinkedRows) from before rows were linked)"
        return "ok \(found.rows) rows\(older)"
    }
}
