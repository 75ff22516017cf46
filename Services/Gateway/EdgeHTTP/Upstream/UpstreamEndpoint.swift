import NIOCore

/// One server that requests are passed on to, as its URL specifies it.
package struct UpstreamEndpoint: Sendable, Hashable {
    /// The place at which it listens.
    package enum Place: Sendable, Hashable {
        /// A name or an IP address, IPv6 without brackets.
        case host(String, port: Int)
        /// A socket file of a server on this machine.
        case file(path: String)
    }

    package let place: Place
    /// Whether it is reached over TLS.
    package let usesTLS: Bool
    /// The value of `Host`: the upstream's own authority, so that it need not know the gateway's public name.
    package let authority: String
    /// The name that its certificate must have, without the dot that ends a full name; `nil` for IP addresses and socket files.
    let serverName: String?

    init(host: String, port: Int, usesTLS: Bool = false) {
        place = .host(host, port: port)
        self.usesTLS = usesTLS
        let shown = host.contains(":") ? "[\(host)]" : host
        authority = port == Self.usualPort(usesTLS) ? shown : "\(shown):\(port)"
        let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
        serverName = isAddress ? nil : host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    private static func usualPort(_ usesTLS: Bool) -> Int { usesTLS ? 443 : 80 }

    /// Creates an endpoint of a socket file, or returns `nil` if the path is not absolute or has more than 103 bytes, from which
    /// NIO makes no address.
    private init?(socketFile path: String) {
        guard path.hasPrefix("/"), !path.hasSuffix("/"), (try? SocketAddress(unixDomainSocketPath: path)) != nil else {
            return nil
        }
        place = .file(path: path)
        usesTLS = false
        authority = "localhost"
        serverName = nil
    }

    /// Reads `http://host[:port]`, `https://host[:port]` or `unix:///path`. Returns `nil` for anything else, such as another
    /// scheme, a path or a user.
    package init?(url: String) {
        if url.hasPrefix("unix://") {
            self.init(socketFile: String(url.dropFirst(7)))
        } else if url.hasPrefix("http://") {
            self.init(authority: url.dropFirst(7), usesTLS: false)
        } else if url.hasPrefix("https://") {
            self.init(authority: url.dropFirst(8), usesTLS: true)
        } else {
            return nil
        }
    }

    private init?(authority text: Substring, usesTLS: Bool) {
        var authority = text
        if authority.hasSuffix("/") { authority.removeLast() }
        var host = authority
        var port = Self.usualPort(usesTLS)
        let afterAddress = authority.lastIndex(of: "]") ?? authority.startIndex
        if let colon = authority[afterAddress...].lastIndex(of: ":") {
            guard let number = UInt16(authority[authority.index(after: colon)...]) else { return nil }
            port = Int(number)
            host = authority[..<colon]
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, host.utf8.allSatisfy({ ASCIISet.host.contains($0) && !"[]".utf8.contains($0) }) else {
            return nil
        }
        self.init(host: String(host), port: port, usesTLS: usesTLS)
    }

    /// Its IP address; `nil` for a name, which has to be looked up and is no error.
    var address: SocketAddress? {
        switch place {
        case .host(let host, let port): try? SocketAddress(ipAddress: host, port: port)
        case .file(let path): try? SocketAddress(unixDomainSocketPath: path)
        }
    }
}
