import ArgumentParser
import PrivateFiles
import SQLiteStore
import ServiceKit

/// `latchkeyctl restore --from DIR --data DIR [--removed FILE] [--decisions FILE]`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Replaces the databases with a backup. The services must be stopped.",
        discussion: """
            Begins a new epoch: when the services start, every session ends and every signing key is retired, since the
            backup knows nothing of what was signed out after it was taken. Users keep their accounts and ids and sign in
            again. The databases that were there stay next to the new ones as *.replaced-<time>. If it does not print
            'restored', run it again.

            \(LaterChanges.help)
            """)

    @Option(help: "The folder of the backup.")
    var from: String

    @Option(name: .customLong("data"), help: Databases.help)
    var dataDirectory: String

    @OptionGroup var later: LaterChanges

    func run() async throws {
        try FilesOnly.require(FilesOnly.restoreHint)
        let lists = try later.read()
        let databases = Databases.locations(in: dataDirectory)
        do throws(FileFailure) {
            let epoch = try Restore(
                from: from, dataDirectory: dataDirectory, databases: databases,
                later: .init(in: Databases.users, removed: lists.removed ?? [], decisions: lists.decisions)
            ).run(now: UnixTime.seconds())
            if let removed = lists.removed {
                print("\(removed.count) users stay removed: user-service sees to it when it starts")
            }
            let applied = lists.decisions.map {
                "\($0.count) security decisions: user-service applies those made since the backup when it starts"
            }
            print(applied ?? LaterChanges.withoutDecisions)
            let createdAt = try BackupManifest.read(from: from).createdAt
            if let warning = LaterChanges.warning(of: "the backup", from: createdAt, now: UnixTime.seconds()) {
                print(warning)
            }
            print(
                """
                restored, epoch \(epoch): when the services start, all sessions end and all signing keys are retired
                secret files are not part of a backup: they stay as they are
                \(LaterChanges.secretsStay)
                """)
        } catch {
            throw CommandFailure(description: error.description)
        }
    }
}
