import Glibc

/// Finds programs as a shell does.
enum ExecutableSearch {
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin:/usr/sbin"

    /// Returns the absolute path of `program` in the folders of `path`, which are separated by colons.
    static func path(of program: String, in path: String?) throws(StartFailure) -> String {
        for folder in (path ?? defaultPath).split(separator: ":") where folder.hasPrefix("/") {
            let candidate = "\(folder)/\(program)"
            if unsafe access(candidate, X_OK) == 0 { return candidate }
        }
        throw StartFailure("\(program) is not installed. On Debian and Ubuntu, run apt-get install \(program).")
    }
}
