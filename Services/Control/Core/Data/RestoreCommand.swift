import ArgumentParser
import InternalAPI
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

            A backup knows nothing of later security decisions. With --decisions, deactivated users stay deactivated, lost
            roles and identities stay lost, passwords that were changed since are void until their users reset them, and used
            or withdrawn invitations stay closed. Without it, an old password works again, a deactivated user signs in, a
            former administrator is one again, and every open invitation ends.
            """)

    @Option(help: "The folder of the backup.")
    var from: String

    @Option(name: .customLong("data"), help: Databases.help)
    var dataDirectory: String

    @Option(
        help: "A file of ids as 'users removed' prints them: these users are removed again before the services start.")
    var removed: String?

    @Option(
        help: "A list as 'users decisions' prints it, or the file in LATCHKEY_DECISIONS_DIR: decisions to apply again.")
    var decisions: String?

    func run() async throws {
        let removed = try self.removed.map(RemovedFile.read)
        let decisions = try self.decisions.map(DecisionsFile.read)
        let databases = Databases.locations(in: dataDirectory)
        do throws(FileFailure) {
            let epoch = try Restore(
                from: from, dataDirectory: dataDirectory, databases: databases,
                later: .init(in: Databases.users, removed: removed ?? [], decisions: decisions)
            ).run(now: UnixTime.seconds())
            if let removed { print("\(removed.count) users stay removed: user-service sees to it when it starts") }
            print(Self.text(decisions?.count))
            if UnixTime.seconds() - (try BackupManifest.read(from: from).createdAt) > SecurityDecision.keptSeconds {
                print(Self.tooOld)
            }
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

    private static let tooOld =
        "the backup is older than \(SecurityDecision.keptSeconds / 86_400) days: lists made since then may lack decisions, so "
        + "check roles and deactivated users yourself"

    /// - Parameter count: The number of decisions; `nil` without a list.
    private static func text(_ count: Int?) -> String {
        guard let count else {
            return
                "no --decisions: deactivations, lost roles and identities, and password changes since the backup are "
                + "undone, and all open invitations end"
        }
        return "\(count) security decisions: user-service applies those made since the backup when it starts"
    }
}
