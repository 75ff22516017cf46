/// The name of one run of a Redis server, by which a restart is noticed.
package enum RedisRunID {
    /// The value of the line `run_id:` in the answer to `INFO server`; nil without one.
    package static func find(in info: String) -> String? {
        let line = info.split(whereSeparator: \.isNewline).first { $0.hasPrefix("run_id:") }
        return line.map { String($0.dropFirst("run_id:".count)) }
    }
}
