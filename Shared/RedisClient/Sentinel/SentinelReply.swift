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

    /// Returns the number of other Sentinels in the reply to `SENTINEL SENTINELS`, without those that have lost their address to another
    /// one: these stay in the list with port 0.
    static func othersCount(_ reply: RedisValue) -> Int {
        (reply.arrayValue ?? []).count { other in
            let words = other.arrayValue?.map { $0.text ?? "" } ?? []
            guard let name = words.firstIndex(of: "port"), words.indices.contains(name + 1) else { return true }
            return words[name + 1] != "0"
        }
    }
}
