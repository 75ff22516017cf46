import EdgeHTTP

extension RequestHead {
    /// The host that the request is for, in lower case and without port.
    var hostName: String? {
        guard let host = text("host") else { return nil }
        // An IPv6 literal has colons of its own, in brackets.
        let literalEnd = host.hasPrefix("[") ? host.firstIndex(of: "]") : nil
        let port = host[(literalEnd ?? host.startIndex)...].firstIndex(of: ":")
        return host[..<(port ?? host.endIndex)].lowercased()
    }
}
