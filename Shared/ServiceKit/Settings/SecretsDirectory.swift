package import Configuration
package import CryptoPrimitives
import FoundationEssentials
import Glibc
import Policies
import PrivateFiles

/// The secrets that a process was given: one file each, by name, in one folder or at paths of their own.
package struct SecretsDirectory: Sendable {
    /// The folder in which containers get their secrets. The modes there state nothing about the host, which `deploy/secrets`
    /// checks.
    private static let mountedFolder = "/run/secrets/"

    /// The default of an optional secret in the units of deploy/debian.
    private static let missingCredential = Data("\n".utf8)

    private let directory: String
    private let environment: ConfigReader
    /// The environment that decides how strictly files are checked; production if the variable has no valid value.
    private var deployment: DeploymentEnvironment {
        environment.text("LATCHKEY_ENV").flatMap(DeploymentEnvironment.init) ?? .production
    }

    /// - Parameter environment: The variables; `<NAME>_FILE` takes precedence over the folder.
    package init(directory: String, environment: ConfigReader) {
        self.directory = directory
        self.environment = environment
    }

    /// Reads the `kid secret` lines of the file `name`.
    package func keyRing(_ name: String, keyCountMax: Int = KeyRing.keyCountMax) throws -> KeyRing {
        do {
            return try KeyRing(parsing: try contents(name).text, keyCountMax: keyCountMax)
        } catch let problem as KeyRing.Problem {
            throw SettingsError("secret \(name)", "the file \(path(name)) \(problem).")
        }
    }

    /// Reads the `kid secret` lines of an optional secret; returns `nil` if there is no such file.
    package func optionalKeyRing(_ name: String, keyCountMax: Int = KeyRing.keyCountMax) throws -> KeyRing? {
        guard isPresent(name) else { return nil }
        return try keyRing(name, keyCountMax: keyCountMax)
    }

    /// Reads the one line of the file `name`; returns `nil` if there is no such file.
    package func password(_ name: String) throws -> Secret<String>? {
        guard isPresent(name) else { return nil }
        let text = try contents(name)
        do throws(SecretText.Problem) { return Secret(try text.line()) } catch { throw settingsError(name, error) }
    }

    /// Reads the whole file `name` without the line ends at its end; returns `nil` if there is no such file.
    package func optionalText(_ name: String) throws -> Secret<String>? {
        guard isPresent(name) else { return nil }
        return Secret(try contents(name).text)
    }

    /// Returns the path of a secret that a C library reads itself; `nil` if there is no such file.
    package func file(_ name: String) throws -> String? {
        guard isPresent(name) else { return nil }
        _ = try contents(name)
        return path(name)
    }

    private func path(_ name: String) -> String {
        environment.string(forKey: ConfigKey("\(name).file")) ?? "\(directory)/\(name)"
    }

    /// Whether the process was given a secret. A unit of systemd lists every secret that its process may have, and one without a
    /// file is only a line end.
    private func isPresent(_ name: String) -> Bool {
        let path = path(name)
        guard directory == environment.string(forKey: "credentials.directory") else {
            return FileManager.default.fileExists(atPath: path)
        }
        return FileManager.default.fileExists(atPath: path)
            && FileManager.default.contents(atPath: path) != Self.missingCredential
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

    /// Returns the error for an unreadable file. A missing folder is reported once, and not for each secret.
    private func unreadable(_ name: String, _ path: String) -> SettingsError {
        let files = FileManager.default
        guard path == "\(directory)/\(name)", !files.fileExists(atPath: directory) else {
            return SettingsError(
                "secret \(name)",
                files.fileExists(atPath: path)
                    ? "user \(geteuid()) cannot read the file \(path). Give it to this user, with mode 600."
                    : "the file \(path) does not exist. latchkeyctl secrets init '\(directory)' makes missing secrets; "
                        + "deploy/docs/reference/settings.md says which ones you write yourself.")
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
