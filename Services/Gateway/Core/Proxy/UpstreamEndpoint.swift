/// One server that requests are sent on to, as its URL names it.
struct UpstreamEndpoint: Sendable, Hashable {
    /// Name or address; IPv6 without brackets.
    let host: String
    let port: Int
    /// What goes into `Host`: the upstream's own authority, so that it need not know the gateway's public name.
    let authority: String

    init(host: String, port: Int) {
        self.host = host
        self.port = port
        let shown = host.contains(":") ? "[\(host)]" : host
        authority = port == 80 ? shown : "\(shown):\(port)"
    }

    /// Reads `http://host[:port]`; nil for anything else, such as another scheme, a path or a user.
    init?(url: String) {
        guard url.hasPrefix("http://") else { return nil }
        var authority = url.dropFirst(7)
        if authority.hasSuffix("/") { authority.removeLast() }
        var host = authority
        var port = 80
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
        self.init(host: String(host), port: port)
    }
}
