package import RedisClient

extension RedisAddress {
    /// Reads `redis://host:port` or `unix:///path`; returns `nil` for any other text.
    package init?(url: String) {
        if url.hasPrefix("redis://"), let address = ListenAddress(parsing: String(url.dropFirst(8))) {
            self = .tcp(host: address.host, port: address.port)
        } else if url.hasPrefix("unix:///"), (2...Self.pathBytesMax).contains(url.utf8.count - 7) {
            self = .unix(path: String(url.dropFirst(7)))
        } else {
            return nil
        }
    }
}
