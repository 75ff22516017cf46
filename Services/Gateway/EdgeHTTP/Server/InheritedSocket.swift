import Glibc
package import NIOCore

/// The socket that a supervisor holds for us (systemd's protocol: `LISTEN_FDS`, `LISTEN_PID`, descriptor 3).
package enum InheritedSocket {
    private static let firstDescriptor: NIOBSDSocket.Handle = 3

    /// - Parameter variable: reads the environment.
    package static func find(_ variable: (String) -> String?) -> NIOBSDSocket.Handle? {
        guard variable("LISTEN_FDS") == "1" else { return nil }
        if let pid = variable("LISTEN_PID"), pid != "\(getpid())" { return nil }
        return firstDescriptor
    }

    /// Gives a socket that NIO has taken over its queue back: NIO listens on it anew, with a backlog of 128.
    static func setBacklog(_ backlog: Int32, of socket: NIOBSDSocket.Handle) throws {
        guard listen(socket, backlog) == 0 else { throw IOError(errnoCode: errno, reason: "listen") }
    }
}
