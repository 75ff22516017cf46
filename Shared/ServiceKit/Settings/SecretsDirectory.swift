package import Configuration
package import CryptoPrimitives
import FoundationEssentials
import Glibc
import Policies
import PrivateFiles

/// The secrets that a process was given: one file each, by name, in one folder or named one by one.
package struct SecretsDirectory: Sendable {
    /// Where containers get their secrets: modes inside say nothing of the host, on which `deploy/secrets` looks.
    private static let mountedFolder = "/run/secrets/"

    private let directory: String
    private let environment: ConfigReader
    /// The strictness with which files are judged; production's where the variable has no valid value.
    private var deployment: DeploymentEnvironment {
        let name = environment.string(forKey: "latchkey.env", default: DeploymentEnvironment.development.rawValue)
        return DeploymentEnvironment(rawValue: name) ?? .production
    }

    /// - Parameter environment: where `<NAME>_FILE` is looked up, which goes before the folder.
    package init(directory: String, environment: ConfigReader) {
        self.directory = directory
        self.environment = environment
    }

    /// The `kid secret` lines of the file `name`.
    package func keyRing(_ name: String, keyCountMax: Int = KeyRing.keyCountMax) throws -> KeyRing {
        do {
            return try KeyRing(parsing: try contents(name).text, keyCountMax: keyCountMax)
        } catch let problem as KeyRing.Problem {
            throw SettingsError("secret \(name)", "the file \(path(name)) \(problem).")
        }
    }

    /// The same of a secret that need not be given; nil when there is no such file.
    package func optionalKeyRing(_ name: String, keyCountMax: Int = KeyRing.keyCountMax) throws -> KeyRing? {
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        return try keyRing(name, keyCountMax: keyCountMax)
    }

    /// The one line of the file `name`, or `nil` if there is no such file.
    package func password(_ name: String) throws -> Secret<String>? {
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        let text = try contents(name)
        do throws(SecretText.Problem) { return Secret(try text.line()) } catch { throw settingsError(name, error) }
    }

    /// The whole file `name` without the line ends at its end, or `nil` if there is no such file.
    package func optionalText(_ name: String) throws -> Secret<String>? {
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        return Secret(try contents(name).text)
    }

    private func path(_ name: String) -> String {
        environment.string(forKey: ConfigKey("\(name).file")) ?? "\(directory)/\(name)"
    }

    private func contents(_ name: String) throws -> SecretText {
        let path = path(name)
        if !path.hasPrefix(Self.mountedFolder) {
            try FileAccess.requirePrivate(path, setting: "secret \(name)", in: deployment)
        }
        do throws(SecretText.Problem) { return try SecretText(path: path) } catch {
            guard error == .unreadable else { throw settingsError(name, error) }
            throw unreadable(name, path)
        }
    }

    /// A missing folder is said once, and not for each secret.
    private func unreadable(_ name: String, _ path: String) -> SettingsError {
        let files = FileManager.default
        guard path == "\(directory)/\(name)", !files.fileExists(atPath: directory) else {
            return SettingsError(
                "secret \(name)",
                files.fileExists(atPath: path)
                    ? "user \(geteuid()) cannot read the file \(path). Give it to this user, with mode 600."
                    : "the file \(path) does not exist. latchkeyctl secrets init '\(directory)' makes missing secrets; "
                        + "deploy/docs/configuration.md says which ones you write yourself.")
        }
        return SettingsError(
            "LATCHKEY_SECRETS_DIR",
            "the folder \(directory) does not exist. latchkeyctl secrets init '\(directory)' makes it with its secrets."
        )
    }

    private func settingsError(_ name: String, _ problem: SecretText.Problem) -> SettingsError {
        SettingsError("secret \(name)", "the file \(path(name)) \(problem).")
    }
}
