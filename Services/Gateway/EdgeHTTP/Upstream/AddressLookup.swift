import Glibc
import NIOCore

/// Queries the system's resolver for the addresses of names. It blocks, so it is never called on an event loop.
enum AddressLookup {
    /// The greatest number of addresses of one name.
    private static let addressesMax = 64

    /// Returns the targets of all endpoints, in order, each once, and the endpoints whose names are unknown now.
    static func targets(
        of endpoints: [UpstreamEndpoint]
    ) -> (targets: [UpstreamGroup.Target], unknown: [UpstreamEndpoint]) {
        var targets: [UpstreamGroup.Target] = []
        var unknown: [UpstreamEndpoint] = []
        for endpoint in endpoints {
            let found = addresses(endpoint)
            if found.isEmpty { unknown.append(endpoint) }
            for address in found {
                let target = UpstreamGroup.Target(endpoint: endpoint, address: address)
                if !targets.contains(target) { targets.append(target) }
            }
        }
        return (targets, unknown)
    }

    private static func addresses(_ endpoint: UpstreamEndpoint) -> [SocketAddress] {
        if let address = endpoint.address { return [address] }
        guard case .host(let name, let port) = endpoint.place else { return [] }
        return addresses(name, port: port)
    }

    private static func addresses(_ host: String, port: Int) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { unsafe freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next, addresses.count < addressesMax {
            if let address = unsafe address(entry.pointee) { addresses.append(address) }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
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
