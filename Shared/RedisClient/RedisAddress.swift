/// The address of a Redis server.
package enum RedisAddress: Sendable, Equatable {
    /// The server's name or IP address, and its TCP port.
    case tcp(host: String, port: Int)
    /// The socket file of a server on this machine. The file's permissions decide who may connect, and traffic bypasses the
    /// network stack.
    case unix(path: String)

    /// The maximum length in bytes of a socket file's path: NIO accepts only those that fit on all of its systems (Linux
    /// itself allows 107, unix(7)).
    package static let pathBytesMax = 103
}

extension RedisAddress: CustomStringConvertible {
    /// The address as a URL.
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "redis://[\(host)]:\(port)" : "redis://\(host):\(port)"
        case .unix(let path): "unix://\(path)"
        }
    }
}
