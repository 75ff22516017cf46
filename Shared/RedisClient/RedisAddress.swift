internal import Glibc
internal import ServiceKit

/// Where a Redis server listens.
package enum RedisAddress: Sendable, Equatable {
    /// Name or address of the server, and its TCP port.
    case tcp(host: String, port: Int)
    /// A socket file of a server on this machine: the file's permissions say who may connect, and what is sent takes no way
    /// through the network's layers.
    case unix(path: String)

    /// The longest path of a socket file in bytes: with a zero it has to fit its place (unix(7)).
    package static let pathBytesMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Reads `redis://host:port` or `unix:///path`; nil for anything else.
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

extension RedisAddress: CustomStringConvertible {
    /// As a URL.
    package var description: String {
        switch self {
        case .tcp(let host, let port): "redis://\(ListenAddress(host: host, port: port))"
        case .unix(let path): "unix://\(path)"
        }
    }
}
