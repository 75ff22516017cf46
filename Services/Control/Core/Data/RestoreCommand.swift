import ArgumentParser
import PrivateFiles
import SQLiteStore
import ServiceKit

/// `latchkeyctl restore --from DIR --data DIR [--removed FILE]`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Puts a backup in place of the databases; the services must be stopped.",
        discussion: """
            Begins a new epoch: when the services start, every session ends and every signing key is retired, since the
            backup knows nothing of what was signed out after it was taken. Users keep their accounts and ids and sign in
            again. The databases that were there stay beside the new ones as *.replaced-<time>. If it does not print
            'restored', run it again.
            """)

    @Option(help: "The folder of the backup.")
    var from: String

    @Option(name: .customLong("data"), help: Databases.help)
    var dataDirectory: String

    @Option(help: "Ids as 'users removed' prints them: users who are removed again before anything is served.")
    var removed: String?

    func run() async throws {
        let removed = try self.removed.map(RemovedFile.read)
        let databases = Databases.locations(in: dataDirectory)
        do throws(FileFailure) {
            let epoch = try Restore(
                from: from, dataDirectory: dataDirectory, databases: databases,
                removals: removed.map { .init(from: Databases.users, ids: $0) }
            ).run(now: UnixTime.seconds())
            if let removed { print("\(removed.count) users stay removed: user-service sees to it when it starts") }
            print(
                """
                restored, epoch \(epoch): when the services start, all sessions end and all signing keys are retired
                secret files are not part of a backup: they stay as they are
                if a profile signs with HS256, put a new secret in the place of all in jwt_hs256 before you start
                """)
        } catch {
            throw CommandFailure(description: error.description)
        }
    }
}
