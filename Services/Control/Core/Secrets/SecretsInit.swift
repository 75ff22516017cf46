import ArgumentParser
import CryptoPrimitives
import FoundationEssentials
import Policies
import ServiceKit
import SupervisorCore

/// `latchkeyctl secrets init [--for production] [--compose] DIR`
struct SecretsInit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Makes the secrets that are missing in a folder.",
        discussion: """
            Makes one file for each secret that has none, and prints the names of the new ones. It never changes a file that \
            exists, so it can be run again: after an upgrade it adds what the new release needs. With \
            LATCHKEY_ENV=production it makes nothing without --for production, and prints the names of what is missing.
            """)

    @Option(name: .customLong("for"), help: "Where the secrets will be used: development (default), uat or production.")
    var environment: DeploymentEnvironment?

    @Flag(
        help: """
            For docker-compose.yml: files of mode 0444, which the containers' users can read, in a folder that is closed to \
            all others; and redis_acl, which follows from the passwords of Redis' accounts and is written again when they \
            change.
            """)
    var compose = false

    @Argument(help: "The folder. It is made with mode 0700 if it does not exist.")
    var folder: String

    func run() async throws {
        let isConfirmed = environment == .production
        let isProduction = isConfirmed || ProcessInfo.processInfo.environment["LATCHKEY_ENV"] == "production"
        print(
            try Self.complete(
                folder, in: isProduction ? .production : environment ?? .development,
                mayInvent: isConfirmed || !isProduction, forCompose: compose))
    }

    /// Makes the missing files and returns the line to print.
    ///
    /// - Parameter mayInvent: Whether secrets may be made; `redis_acl` follows from other secrets and does not count.
    /// - Throws: `CommandFailure`.
    static func complete(
        _ path: String, in environment: DeploymentEnvironment, mayInvent: Bool, forCompose: Bool
    ) throws -> String {
        try prepare(path, in: environment, forCompose: forCompose)
        let folder = SecretsFolder(path)
        let missing = folder.missing(Manifest.madeSecrets).map(\.name)
        guard mayInvent || missing.isEmpty else {
            throw CommandFailure(
                description:
                    "these secrets are missing in \(path): \(missing.joined(separator: " "))\n"
                    + "Production invents none unless you say so: --for production makes them.")
        }
        let mode: UInt32 = forCompose ? 0o444 : 0o600
        do throws(StartFailure) {
            var made = try folder.complete(Manifest.madeSecrets, mode: mode, random: SecureRandom.bytes).map(\.name)
            if forCompose, try folder.writeRedisACL(mode: mode) { made.append("redis_acl") }
            let reminder = made.isEmpty || environment != .production ? "" : "\nKeep a copy where your other keys are."
            return
                "made in \(path): \(made.isEmpty ? "nothing, all were there" : made.joined(separator: " "))\(reminder)"
        } catch {
            throw CommandFailure(description: error.description)
        }
    }

    /// Makes the folder if there is none, and refuses one in which other users could read or replace secrets.
    private static func prepare(_ path: String, in environment: DeploymentEnvironment, forCompose: Bool) throws {
        do throws(StartFailure) { try SecretsFolder(path).create() } catch {
            throw CommandFailure(description: error.description)
        }
        do throws(SettingsError) { try FileAccess.requireOwn(path, setting: "folder", in: environment) } catch {
            throw CommandFailure(description: error.description)
        }
        guard !forCompose || !SecretsFolder(path).isOpenToOthers else {
            throw CommandFailure(
                description:
                    "other users of this host can enter \(path) and read the files in it. Run chmod 700 '\(path)'.")
        }
    }
}
