import FoundationEssentials
import Glibc
package import Policies
import PrivateFiles

/// Checks which users of this host can read or replace a file, by owners and modes of the file and of every folder above it.
package enum FileAccess {
    /// Makes new files of this process accessible only to their owner, whatever mask the shell that started it has set.
    package static func keepNewFilesPrivate() { _ = umask(0o077) }

    /// Refuses a file that other users of the host can read or replace. A file that does not exist, or cannot be examined,
    /// passes.
    ///
    /// - Parameter setting: The setting that contains the path, for the message.
    package static func requirePrivate(
        _ path: String, setting: String, in environment: DeploymentEnvironment = .development
    ) throws(SettingsError) {
        if let real = realPath(path), isReachable(real) {
            throw SettingsError(setting, "every user of this host can read \(real): chmod 600 '\(real)'")
        }
        try requireOwn(path, setting: setting, in: environment)
    }

    /// Refuses a file or a folder if other users of the host can replace it or a folder above it. One that does not exist
    /// passes.
    ///
    /// - Parameter setting: The setting that contains the path, for the message.
    package static func requireOwn(
        _ path: String, setting: String, in environment: DeploymentEnvironment
    ) throws(SettingsError) {
        let exposures = PathAccess.exposures(of: path)
        guard let first = exposures.first(where: { environment == .production || !$0.isForProductionOnly }) else {
            return
        }
        throw SettingsError(setting, first.description)
    }

    /// Returns the problems that `requireOwn` would refuse in production, one sentence each.
    package static func cautions(of path: String) -> [String] {
        PathAccess.exposures(of: path).map(\.description)
    }

    /// Refuses a folder in which this process cannot make files.
    package static func requireWritable(folder: String, setting: String) throws(SettingsError) {
        guard unsafe access(folder, W_OK | X_OK) != 0 else { return }
        throw SettingsError(
            setting,
            errno == ENOENT
                ? "the folder \(folder) does not exist. Create it, or name another one."
                : "user \(geteuid()) cannot write to the folder \(folder). Run chown \(geteuid()) '\(folder)', or name "
                    + "another folder.")
    }

    /// Refuses a file that this process cannot read.
    package static func requireReadable(_ path: String, setting: String) throws(SettingsError) {
        guard unsafe access(path, R_OK) != 0 else { return }
        throw SettingsError(
            setting,
            errno == ENOENT
                ? "the file \(path) does not exist. Create it, or name another one."
                : "user \(geteuid()) cannot read the file \(path). Run chown \(geteuid()) '\(path)', or name another file."
        )
    }

    /// Whether a user who is neither owner nor in a group can reach and read the file.
    private static func isReachable(_ realPath: String) -> Bool {
        guard let file = mode(realPath), file & S_IROTH != 0 else { return false }
        var folder = realPath[...]
        while let slash = folder.lastIndex(of: "/") {
            folder = folder[..<slash]
            guard let mode = mode(folder.isEmpty ? "/" : String(folder)), mode & S_IXOTH != 0 else { return false }
        }
        return true
    }

    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode : nil
    }

    /// Resolves links in the path, which could lead past closed folders; returns `nil` if there is no such file.
    private static func realPath(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
