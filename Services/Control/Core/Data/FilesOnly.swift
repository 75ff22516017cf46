import FoundationEssentials
import PostgreSQL

/// Commands that know files only.
enum FilesOnly {
    static let backupHint = "Back it up with pg_dump or point-in-time recovery"
    static let restoreHint =
        "Restore it with pg_restore or point-in-time recovery, and then run latchkeyctl database begin-epoch"

    /// Refuses a command if a service's data is in PostgreSQL, since its file would be one from before a move.
    ///
    /// - Throws: `CommandFailure` that says what to use instead.
    static func require(
        _ hint: String, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(CommandFailure) {
        let names = [DatabaseSettings.token.url, DatabaseSettings.user.url]
        guard let set = names.first(where: { environment[$0]?.isEmpty == false }) else { return }
        throw CommandFailure(
            description: "\(set) is set, so the data is in PostgreSQL. \(hint) (deploy/docs/run/scale.md#backup)")
    }
}
