/// The id of one run of Redis: it changes when the server is started again, and when a replica becomes the master.
///
/// A master that is promoted again in the same process keeps its `run_id`, so the id of its replication history belongs to it.
package enum RedisRun {
    /// The command whose reply has both.
    package static let command: [RedisArgument] = ["INFO", "server", "replication"]

    /// Returns `<run_id>.<master_replid>` from the reply; `nil` if one is missing, or the server is no master.
    package static func find(in info: String) -> String? {
        guard field("role:", info) == "master", let run = field("run_id:", info),
            let history = field("master_replid:", info)
        else { return nil }
        return "\(run).\(history)"
    }

    private static func field(_ name: String, _ info: String) -> Substring? {
        info.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name) }?.dropFirst(name.count)
    }
}
