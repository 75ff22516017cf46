import Glibc

/// The IP addresses of a host, so that each is tried within a time of its own.
enum HostAddresses {
    /// Resolves a name, which blocks the thread.
    ///
    /// - Returns: one `nil` for a Unix socket.
    static func of(_ host: DatabaseURL.Host) throws(PostgreSQLError) -> [String?] {
        guard !host.isSocket else { return [nil] }
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host.name, nil, &hints, &list)
        defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
        guard status == 0 else {
            let reason = unsafe gai_strerror(status).map { unsafe String(cString: $0) } ?? "\(status)"
            throw PostgreSQLError(.lost, "the name \"\(host.name)\" of the server is not found: \(reason)")
        }
        var addresses: [String?] = []
        var next = unsafe list
        while let entry = unsafe next, addresses.count < PostgreSQLLimits.addressesMax {
            if let address = unsafe text(entry.pointee), !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    private static func text(_ entry: addrinfo) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = unsafe getnameinfo(
            entry.ai_addr, entry.ai_addrlen, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
