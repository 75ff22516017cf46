import Glibc

/// The network that this machine shares with a nearby phone.
enum PrivateNetwork {
    /// Returns this machine's first address in a private network (RFC 1918) that is up, or `nil` if it is in none.
    static func address() -> String? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&first) == 0 else { return nil }
        defer { unsafe freeifaddrs(first) }
        var next = unsafe first
        while let entry = unsafe next?.pointee {
            unsafe next = entry.ifa_next
            guard unsafe entry.ifa_flags & UInt32(IFF_UP) != 0, let address = unsafe entry.ifa_addr,
                unsafe address.pointee.sa_family == sa_family_t(AF_INET)
            else { continue }
            let host = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                unsafe UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
            }
            if isPrivate(host) { return text(host) }
        }
        return nil
    }

    static func isPrivate(_ host: UInt32) -> Bool {
        host >> 24 == 10 || host >> 20 == 0xAC1 || host >> 16 == 0xC0A8
    }

    static func text(_ host: UInt32) -> String {
        [24, 16, 8, 0].map { "\(host >> $0 & 255)" }.joined(separator: ".")
    }
}
