import Policies

extension RequestHead {
    /// The host that the request is for, in lower case and without port.
    package var hostName: String? {
        guard let host = text("host") else { return nil }
        // An IPv6 literal has colons of its own, in brackets.
        let literalEnd = host.hasPrefix("[") ? host.firstIndex(of: "]") : nil
        let port = host[(literalEnd ?? host.startIndex)...].firstIndex(of: ":")
        return host[..<(port ?? host.endIndex)].lowercased()
    }

    /// The host as certificates contain it: an IPv6 address without the brackets that it has in URLs, in its canonical text.
    package var certifiedHost: String? {
        guard let host = hostName, host.hasPrefix("["), let address = IPAddress(String(host.dropFirst().dropLast()))
        else { return hostName }
        return address.description
    }
}
