package import Configuration
package import CryptoPrimitives
import FoundationEssentials

/// The secrets that a process was given: one file each, by name, in one folder or named one by one.
package struct SecretsDirectory: Sendable {
    /// Bytes of the largest secret file that is read.
    package static let fileBytesMax = 64 * 1024
    /// Where containers get their secrets: modes inside say nothing of the host, on which `deploy/secrets` looks.
    private static let mountedFolder = "/run/secrets/"

    private let directory: String
    private let environment: ConfigReader

    /// - Parameter environment: where `<NAME>_FILE` is looked up, which goes before the folder.
    package init(directory: String, environment: ConfigReader) {
        self.directory = directory
        self.environment = environment
    }

    /// The `kid secret` lines of the file `name`.
    package func keyRing(_ name: String, keyCountMax: Int = KeyRing.keyCountMax) throws -> KeyRing {
        do {
            return try KeyRing(parsing: try text(name), keyCountMax: keyCountMax)
        } catch let problem as KeyRing.Problem {
            throw SettingsError("secret \(name) (\(path(name)))", problem.description)
        }
    }

    /// The same of a secret that need not be given; nil when there is no such file.
    package func optionalKeyRing(_ name: String, keyCountMax: Int = KeyRing.keyCountMax) throws -> KeyRing? {
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        return try keyRing(name, keyCountMax: keyCountMax)
    }

    /// The one line of the file `name`, or nil when there is no such file.
    package func password(_ name: String) throws -> Secret<String>? {
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        var line = try text(name)
        if line.hasSuffix("\n") { line.removeLast() }
        guard !line.isEmpty, !line.contains("\n") else {
            throw SettingsError("secret \(name) (\(path(name)))", "must hold one line that is not empty")
        }
        return Secret(line)
    }

    /// The whole file `name`, or nil when there is no such file.
    package func optionalText(_ name: String) throws -> Secret<String>? {
        guard FileManager.default.fileExists(atPath: path(name)) else { return nil }
        return Secret(try text(name))
    }

    private func path(_ name: String) -> String {
        environment.string(forKey: ConfigKey("\(name).file")) ?? "\(directory)/\(name)"
    }

    private func text(_ name: String) throws -> String {
        let path = path(name)
        if !path.hasPrefix(Self.mountedFolder) {
            try FileAccess.requirePrivate(path, setting: "secret \(name)")
        }
        let contents: Data
        do { contents = try Data(contentsOf: URL(filePath: path)) } catch {
            throw SettingsError("secret \(name)", "cannot read the file \(path)")
        }
        guard contents.count <= Self.fileBytesMax, let text = String(validating: contents, as: UTF8.self) else {
            throw SettingsError("secret \(name) (\(path))", "must be UTF-8 text of at most \(Self.fileBytesMax) bytes")
        }
        return text
    }
}
