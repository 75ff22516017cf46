import ArgumentParser
import ContinuousCopy
import CopyTargets
import Foundation
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

            With --key-file it restores from a continuous copy ('copy'), as of --at or of the newest moment. The lists of \
            removed users and of decisions come from the newest copy then; --removed and --decisions add to them.

            \(LaterChanges.help)
            """)

    @Option(help: "The folder of the backup, or the target of a continuous copy.")
    var from: String

    @Option(help: "The key file of the continuous copy.")
    var keyFile: String?

    @Option(help: "Restore the newest moment that is not later: 2026-11-21T08:00:00Z, or 2h ago; default the newest.")
    var at: SinceArgument?

    @Option(help: "A folder for the files while they are rebuilt; default restore.scratch in the data directory.")
    var scratch: String?

    @Option(name: .customLong("data"), help: Databases.help)
    var dataDirectory: String

    @OptionGroup var later: LaterChanges

    func run() async throws {
        try FilesOnly.require(FilesOnly.restoreHint)
        let lists = try later.read()
        guard let keyFile else {
            guard at == nil, scratch == nil else {
                throw CommandFailure(description: "--at and --scratch are for a continuous copy: add --key-file FILE")
            }
            return try restore(from: from, lists)
        }
        let folder = scratch ?? dataDirectory + "/restore.scratch"
        do throws(FileFailure) { try plan(from: folder, lists).refuseWhileInUse() } catch {
            throw CommandFailure(description: error.description)
        }
        try CopiedBackup.prepare(folder)
        defer { Self.remove(folder) }
        let rebuilt: CopiedBackup.Rebuilt
        do throws(CopyFailure) {
            let backup = CopiedBackup(
                target: try CopyTargetAddress.target(from), seal: try CopySeal(keyFile: keyFile), folder: folder)
            rebuilt = try await backup.rebuild(Databases.locations(in: dataDirectory).map(\.name), at: at?.second)
        } catch { throw CommandFailure(description: error.description) }
        print(
            "the copy is of \(TimeText.text(rebuilt.point.time)), the newest one of \(TimeText.text(rebuilt.newest.time))"
        )
        if rebuilt.isClockInDoubt { print("the clock of the copier had gone back: check the time") }
        try restore(from: folder, rebuilt.later.merged(into: lists))
    }

    private func plan(from folder: String, _ lists: LaterChanges.Lists) -> Restore {
        Restore(
            from: folder, dataDirectory: dataDirectory, databases: Databases.locations(in: dataDirectory),
            later: .init(in: Databases.users, removed: lists.removed ?? [], decisions: lists.decisions))
    }

    private static func remove(_ folder: String) {
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("remove the folder \(folder)") }
    }

    private func restore(from folder: String, _ lists: LaterChanges.Lists) throws {
        do throws(FileFailure) {
            let epoch = try plan(from: folder, lists).run(now: UnixTime.seconds())
            if let removed = lists.removed {
                print("\(removed.count) users stay removed: user-service sees to it when it starts")
            }
            let applied = lists.decisions.map {
                "\($0.count) security decisions: user-service applies those made since the backup when it starts"
            }
            print(applied ?? LaterChanges.withoutDecisions)
            let createdAt = try BackupManifest.read(from: folder).createdAt
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
