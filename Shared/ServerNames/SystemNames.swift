import Glibc
import NIOCore

/// Queries the system's resolver, which blocks the thread.
enum SystemNames {
    /// The greatest number of addresses of one name.
    private static let addressesMax = 64

    static func addresses(of host: String) -> Result<[SocketAddress], NameFailure> {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, nil, &hints, &list)
        defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
        guard status == 0 else {
            let reason = unsafe gai_strerror(status).map { unsafe String(cString: $0) } ?? "\(status)"
            return .failure(.notFound(reason))
        }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next, addresses.count < addressesMax {
            if let address = unsafe address(entry.pointee), !addresses.contains(address) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses.isEmpty ? .failure(.notFound("no IP address")) : .success(addresses)
    }

    private static func address(_ entry: addrinfo) -> SocketAddress? {
        guard let bytes = unsafe UnsafeMutableRawPointer(entry.ai_addr) else { return nil }
        switch unsafe entry.ai_family {
        case AF_INET: return unsafe SocketAddress(bytes.loadUnaligned(as: sockaddr_in.self))
        case AF_INET6: return unsafe SocketAddress(bytes.loadUnaligned(as: sockaddr_in6.self))
        default: return nil
        }
    }
}
