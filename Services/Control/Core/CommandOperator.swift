import ArgumentParser
import Foundation
import InternalAPI
import Policies

/// Which commands need the name of the operator who runs them (`LATCHKEY_OPERATOR`): all that read or change a person, a session
/// or a key, so that the audit says who it was.
enum CommandOperator {
    /// The commands that need no name; every other one does. They are what compose and timers run, and what reads and changes
    /// neither people nor sessions nor keys.
    static let nameless: [any ParsableCommand.Type] = [
        AuditVerify.self, BackupCommand.self, CopyCommand.self, DatabaseCopy.self, DatabaseMigrate.self,
        ClientsList.self, DoctorCommand.self,
        HealthCheck.self, InternalCA.self, JWSCommand.Verify.self, MessagesSendTest.self, OTPGuardReport.self,
        PolicyCheck.self,
        PolicyDiff.self, RedisLoad.self, RestoreCommand.self, SecretsInit.self, SetupCommand.self,
        SignatureCommand.Verify.self,
        TLSNewKey.self, TLSPins.self, UsersCount.self, UsersDecisions.self, UsersRemoved.self,
    ]

    static func isNeeded(by command: any ParsableCommand.Type) -> Bool {
        leaves(of: LatchkeyControl.self).contains { $0 == command } && !nameless.contains { $0 == command }
    }

    /// Returns the commands below one that can be run.
    static func leaves(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        let below = command.configuration.subcommands
        return below.isEmpty ? [command] : below.flatMap(leaves)
    }

    /// The name for a command, or the line that says why it cannot run without one.
    enum Decision: Equatable {
        case runs(OperatorName?)
        case refused(String)
    }

    /// - Parameters:
    ///   - variables: The environment.
    ///   - login: The name of the user who runs the process; `nil` if it has none.
    static func decide(
        _ command: any ParsableCommand.Type, variables: [String: String], login: @autoclosure () -> String?
    ) -> Decision {
        guard isNeeded(by: command) else { return .runs(nil) }
        let name = OperatorName.variable
        if let text = variables[name], !text.isEmpty {
            guard let given = OperatorName(text) else {
                return .refused("\(name): this is not a name. Use \(OperatorName.form), such as \(name)=alice")
            }
            return .runs(given)
        }
        guard variables["LATCHKEY_ENV"] != DeploymentEnvironment.production.rawValue else {
            return .refused(
                "set \(name) to your name, for the audit (\(OperatorName.form)). In containers: "
                    + "docker compose exec -e \(name)=alice SERVICE latchkeyctl …")
        }
        return .runs(login().flatMap(OperatorName.init(login:)))
    }

    /// The name of the user who runs the process, or `nil` if the system does not know it.
    static func login() -> String? {
        let name = NSUserName()
        return name.isEmpty ? nil : name
    }
}
