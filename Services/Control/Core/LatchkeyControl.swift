package import ArgumentParser
import Foundation
import InternalAPI
import PrivateFiles
import Release
import ServiceKit

/// The operator's command line.
package struct LatchkeyControl: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "latchkeyctl", abstract: "Operates a Latchkey deployment.", version: Release.version,
        subcommands: [
            ClientsCommand.self, DatabaseCommand.self, DoctorCommand.self, HealthCheck.self, InternalCA.self,
            JWSCommand.self,
            KeysCommand.self,
            MessagesCommand.self,
            OTPCommand.self,
            OutboxCommand.self, PasskeysCommand.self, PolicyCommand.self, RedisCommand.self, ReviewsCommand.self,
            SecretsCommand.self, SessionsCommand.self, SetupCommand.self,
            SignatureCommand.self, TLSCommand.self, UsersCommand.self, AuditCommand.self, BackupCommand.self,
            CopyCommand.self,
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
        do { try await run(try parseAsRoot()) } catch { exit(withError: error) }
    }

    /// Runs a command under the operator's name, or exits with 64 and one line if it needs one.
    private static func run(_ command: any ParsableCommand) async throws {
        let variables = ProcessInfo.processInfo.environment
        switch CommandOperator.decide(type(of: command), variables: variables, login: CommandOperator.login()) {
        case .runs(let name):
            var command = command
            try await OperatorName.$current.withValue(name) {
                guard var asynchronous = command as? any AsyncParsableCommand else { return try command.run() }
                try await asynchronous.run()
            }
        case .refused(let line):
            FileHandle.standardError.write(Data("Error: \(line)\n".utf8))
            throw ExitCode.validationFailure
        }
    }
}
