import Glibc

/// Finds programs as a shell does.
enum ExecutableSearch {
    private static let defaultPath = "/usr/local/bin:/usr/bin:/bin:/usr/sbin"

    /// Returns the absolute path of Redis' server, or else of Valkey's, in the folders of `path`, which are separated by colons.
    static func redisServer(in path: String?) throws(StartFailure) -> String {
        for program in ["redis-server", "valkey-server"] {
            for folder in (path ?? defaultPath).split(separator: ":") where folder.hasPrefix("/") {
                let candidate = "\(folder)/\(program)"
                if unsafe access(candidate, X_OK) == 0 { return candidate }
            }
        }
        throw StartFailure(
            "neither redis-server nor valkey-server is installed. On Debian and Ubuntu, run apt-get install redis-server."
        )
    }
}
