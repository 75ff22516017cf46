/// Where a Redis server listens.
package enum RedisAddress: Sendable, Equatable {
    /// Name or address of the server, and its TCP port.
    case tcp(host: String, port: Int)
    /// A socket file of a server on this machine: the file's permissions say who may connect, and what is sent takes no way
    /// through the network's layers.
    case unix(path: String)

    /// The longest path of a socket file in bytes: NIO takes none that would not fit on all of its systems (Linux alone has
    /// room for 107, unix(7)).
    package static let pathBytesMax = 103
}

extension RedisAddress: CustomStringConvertible {
    /// As a URL.
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "redis://[\(host)]:\(port)" : "redis://\(host):\(port)"
        case .unix(let path): "unix://\(path)"
        }
    }
}
