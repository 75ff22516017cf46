import ArgumentParser
import Foundation
import PrivateFiles
import SQLiteStore
import ServiceKit

/// `latchkeyctl backup --data DIR --to DIR`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copies both databases while the services run.",
        discussion: """
            Writes tokens.sqlite, users.sqlite and manifest.json, which only the owner can read, and checks them. Secret files \
            are not part of a backup. Run the command as the user that the services run as. A database in PostgreSQL has tools of \
            its own.
            """)

    @Option(name: .customLong("data"), help: Databases.help)
    var dataDirectory: String

    @Option(help: "A folder that does not exist or is empty; nothing is overwritten.")
    var to: String

    func run() async throws {
        try FilesOnly.require(FilesOnly.backupHint)
        let databases = Databases.locations(in: dataDirectory)
        do throws(FileFailure) {
            let manifest = try Backup(of: databases).take(to: to, now: UnixTime.seconds())
            for file in manifest.files {
                print("\(file.name): \(file.bytes) bytes, sha256 \(file.sha256), \(file.auditRows) audit rows")
            }
            print("the secret files are not part of this backup")
            noteTime(of: databases, manifest.createdAt)
        } catch {
            throw CommandFailure(description: error.description)
        }
    }

    /// Leaves the time next to the databases. The backup is complete without it.
    private func noteTime(of databases: [DatabaseLocation], _ time: Int64) {
        do throws(FileFailure) {
            for database in databases { try BackupTime.note(time, databasePath: database.path) }
        } catch {
            let text = "the services do not show the age of this backup: \(error.description)\n"
            FileHandle.standardError.write(Data(text.utf8))
        }
    }
}
