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

    /// Returns the replicas in the reply to `SENTINEL REPLICAS`.
    static func replicas(_ reply: RedisValue) -> [RedisAddress] {
        (reply.arrayValue ?? []).compactMap { replica in
            guard let host = word("ip", of: replica), let port = word("port", of: replica).flatMap(UInt16.init),
                port > 0
            else { return nil }
            return .tcp(host: host, port: Int(port))
        }
    }

    /// Returns the number of other Sentinels in the reply to `SENTINEL SENTINELS`, without those that have lost their address to another
    /// one: these stay in the list with port 0.
    static func othersCount(_ reply: RedisValue) -> Int {
        (reply.arrayValue ?? []).count { word("port", of: $0) != "0" }
    }

    /// Returns the word that follows a name in a list of names and values.
    private static func word(_ name: String, of list: RedisValue) -> String? {
        let words = list.arrayValue?.map { $0.text ?? "" } ?? []
        return stride(from: 0, to: words.count - 1, by: 2).first { words[$0] == name }.map { words[$0 + 1] }
    }
}
