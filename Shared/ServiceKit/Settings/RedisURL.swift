import FoundationEssentials
package import RedisClient

/// The parts of `REDIS_URL`: a server, a socket file, or the Sentinels of a master.
package struct RedisURL: Sendable, Equatable {
    package enum Target: Sendable, Equatable {
        case server(RedisAddress)
        /// The addresses of all Sentinels, and the name by which they know the master.
        case sentinels([RedisAddress], name: String)
    }

    /// A bound on the text; deployments have three or five.
    private static let sentinelsMax = 15
    private static let nameLengthMax = 64

    package let target: Target
    /// Whether connections to Redis, and to Sentinels alike, use TLS.
    package let isTLS: Bool

    /// Reads `redis://host:port`, `redis+sentinel://host:port,…/name`, either with `rediss` for TLS, or `unix:///path`; returns `nil`
    /// for any other text.
    package init?(_ text: String) {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let rest = text[scheme.upperBound...]
        isTLS = text.hasPrefix("rediss")
        switch text[..<scheme.lowerBound] {
        case "redis", "rediss":
            guard let address = Self.server(rest) else { return nil }
            target = .server(address)
        case "redis+sentinel", "rediss+sentinel":
            guard let sentinels = Self.sentinels(rest) else { return nil }
            target = sentinels
        case "unix":
            guard rest.hasPrefix("/"), (2...RedisAddress.pathBytesMax).contains(rest.utf8.count) else { return nil }
            target = .server(.unix(path: String(rest)))
        default: return nil
        }
    }

    /// The servers or Sentinels to which a process has a route; empty for a socket file.
    var hosts: [ListenAddress] {
        let addresses =
            switch target {
            case .server(let address): [address]
            case .sentinels(let addresses, _): addresses
            }
        return addresses.compactMap { address in
            guard case .tcp(let host, let port) = address else { return nil }
            return ListenAddress(host: host, port: port)
        }
    }

    private static func sentinels(_ text: Substring) -> Target? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, isName(parts[1]) else { return nil }
        let addresses = parts[0].split(separator: ",", omittingEmptySubsequences: false).map(server)
        let known = addresses.compactMap { $0 }
        guard (1...sentinelsMax).contains(addresses.count), known.count == addresses.count,
            !known.indices.contains(where: { known[..<$0].contains(known[$0]) })
        else { return nil }
        return .sentinels(known, name: String(parts[1]))
    }

    private static func server(_ text: Substring) -> RedisAddress? {
        // A comma would be a list of a cluster's nodes, and "@" precedes a host after a user's name.
        guard !text.contains(where: { ",@/".contains($0) }), let address = ListenAddress(parsing: String(text)),
            address.port > 0
        else { return nil }
        return .tcp(host: address.host, port: address.port)
    }

    /// Whether Redis takes this as the name of a master.
    private static func isName(_ text: Substring) -> Bool {
        (1...nameLengthMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "._-".utf8.contains(byte)
            }
    }
}
