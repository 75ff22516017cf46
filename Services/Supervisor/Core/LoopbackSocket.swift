import Glibc

/// Opens sockets on 127.0.0.1, or on all addresses for phones, with the system's calls. Every descriptor is closed on exec.
enum LoopbackSocket {
    /// The number of connections that can wait while the gateway restarts.
    static let backlog: Int32 = 1024

    /// Binds `port` (0 for a free one) and listens; returns `nil` if it is in use.
    ///
    /// - Parameter everywhere: Whether it listens on every network of the machine, not only on loopback.
    static func listen(on port: UInt16, everywhere: Bool = false) -> Int32? {
        guard let socket = bind(port, everywhere: everywhere) else { return nil }
        guard Glibc.listen(socket, backlog) == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Binds `port` without listening; returns `nil` if it is in use.
    static func bind(_ port: UInt16, everywhere: Bool = false) -> Int32? {
        let socket = make()
        guard socket >= 0 else { return nil }
        var on: Int32 = 1
        // A port whose last connections have only just closed counts as free.
        unsafe setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe withAddress(port, everywhere ? anywhere : loopback, { unsafe Glibc.bind(socket, $0, $1) }) == 0
        else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Connects to `port`, and waits at most `timeoutMilliseconds` for each step; returns `nil` if no process accepts.
    static func connect(to port: UInt16, timeoutMilliseconds: Int) -> Int32? {
        let socket = make()
        guard socket >= 0 else { return nil }
        var timeout = timeval(tv_sec: timeoutMilliseconds / 1000, tv_usec: timeoutMilliseconds % 1000 * 1000)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(socket, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        guard unsafe withAddress(port, loopback, { unsafe Glibc.connect(socket, $0, $1) }) == 0 else {
            close(socket)
            return nil
        }
        return socket
    }

    /// Returns the port to which the socket is bound.
    static func port(of socket: Int32) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(socket, $0, &length) }
        }
        return result == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }

    private static func make() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    }

    private static let anywhere: UInt32 = 0
    private static let loopback: UInt32 = 0x7F00_0001

    private static func withAddress(
        _ port: UInt16, _ host: UInt32, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
