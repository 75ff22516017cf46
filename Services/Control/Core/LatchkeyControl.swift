package import ArgumentParser
import Release
import ServiceKit

/// The operator's command line.
package struct LatchkeyControl: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "latchkeyctl", abstract: "Operates a Latchkey deployment.", version: Release.version,
        subcommands: [
            HealthCheck.self, JWSCommand.self, KeysCommand.self, MessagesCommand.self, OTPCommand.self,
            OutboxCommand.self,
            PolicyCommand.self, SessionsCommand.self,
            SignatureCommand.self, TLSCommand.self, UsersCommand.self, AuditCommand.self, BackupCommand.self,
            RestoreCommand.self,
        ])

    package init() {}
}

extension LatchkeyControl {
    /// Runs the command that the arguments name, and exits with its status.
    package static func start() async {
        // Backups hold what the databases hold.
        FileAccess.keepNewFilesPrivate()
        await main()
    }
}
