import ArgumentParser
import Foundation
import PostgreSQL
import PrivateFiles
import SQLiteStore
import ServiceKit
import Storage
import TokenTables
import UserTables

/// `latchkeyctl database copy --from FILE [--to URL] [--admin ROLE]`
struct DatabaseCopy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copies a service's SQLite file into PostgreSQL. The services must be stopped.",
        discussion: """
            Copies everything in tokens.sqlite or users.sqlite: users, sessions, signing keys and the audit, which is verified on \
            both sides. Users stay signed in. The schema must have been made by 'database migrate', and be empty. Afterwards \
            the file is marked as moved, and services that open it refuse to start. If it does not print 'copied', run it \
            again; nothing uses a copy that is not complete. Run the command as the user that the services run as.
            """)

    @Option(help: "The file tokens.sqlite or users.sqlite.")
    var from: String

    @Option(
        help: """
            The database, as the service of the file has it; default $TOKEN_DATABASE_URL or $USER_DATABASE_URL. Its password is the \
            secret token_database_password or user_database_password.
            """)
    var to: String?

    @OptionGroup var owner: OwnerOption

    func run() async throws {
        let settings = try DatabaseSchema.settings()
        let path = URL(filePath: from).resolvingSymlinksInPath().path(percentEncoded: false)
        let source = try Source(path)
        do {
            let configuration = try source.schema.owner(settings, admin: owner.admin, to: to)
            let now = UnixTime.seconds()
            let file = try source.open(path, now)
            try FileMove(
                file: file, schema: source.schema, rules: source.rules, configuration: configuration, print: Self.report
            ).run(now: now)
            try file.close()
        } catch let error as StorageError {
            throw CommandFailure(description: "\(to == nil ? source.schema.names.url : "--to"): \(error.message)")
        }
    }

    /// Prints a line at once, also if the output is not a terminal.
    private static func report(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// The service that a file belongs to: each one's has a table that the other one's lacks.
    private struct Source {
        let schema: DatabaseSchema
        let rules: CopyRules
        let open: (_ path: String, _ now: Int64) throws(FileFailure) -> ExclusiveFile

        init(_ path: String) throws {
            let tables = try ExclusiveFile.tables(in: path)
            switch (tables.contains("sessions"), tables.contains("users")) {
            case (true, false): (schema, rules, open) = (.token, .token, TokenDatabase.openExclusively)
            case (false, true): (schema, rules, open) = (.user, .user, UserDatabase.openExclusively)
            default:
                throw CommandFailure(description: "\(path) is neither token-service's nor user-service's database")
            }
        }
    }
}
