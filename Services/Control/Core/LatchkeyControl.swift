package import ArgumentParser
import FoundationEssentials
import PrivateFiles
import Release
import ServiceKit

/// The operator's command line.
package struct LatchkeyControl: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "latchkeyctl", abstract: "Operates a Latchkey deployment.", version: Release.version,
        subcommands: [
            DatabaseCommand.self, HealthCheck.self, JWSCommand.self, KeysCommand.self, MessagesCommand.self,
            OTPCommand.self,
            OutboxCommand.self, PolicyCommand.self, RedisCommand.self, SecretsCommand.self, SessionsCommand.self,
            SignatureCommand.self, TLSCommand.self, UsersCommand.self, AuditCommand.self, BackupCommand.self,
            RestoreCommand.self,
        ])

    package init() {}
}

extension LatchkeyControl {
    /// Runs the command that the arguments specify, and exits with its status.
    package static func start() async {
        // Backups contain the same data as the databases, so only their owner may read them.
        FileAccess.keepNewFilesPrivate()
        ProcessPrivacy.refuseCoreFiles()
        if ProcessInfo.processInfo.environment["LATCHKEY_ENV"] == "production" { ProcessPrivacy.refuseReaders() }
        await main()
    }
}
