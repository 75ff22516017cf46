/// Replies of Sentinels.
enum SentinelReply {
    /// Returns the master in the reply to `SENTINEL GET-MASTER-ADDR-BY-NAME`; `nil` if the name is not known, or for any other
    /// reply.
    static func master(_ reply: RedisValue) -> RedisAddress? {
        guard let parts = reply.arrayValue, parts.count == 2, let host = parts[0].text, !host.isEmpty,
            let port = parts[1].text.flatMap(UInt16.init), port > 0
        else { return nil }
        return .tcp(host: host, port: Int(port))
    }
}
