/// The id of one run of a Redis server, which reveals a restart.
package enum RedisRunID {
    /// Returns the value of the line `run_id:` in the reply to `INFO server`; `nil` if there is none.
    package static func find(in info: String) -> String? {
        let line = info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("run_id:") }
        return line.map { String($0.dropFirst("run_id:".count)) }
    }
}
