import Glibc
package import NIOCore

/// The sockets that a supervisor passes to the process (systemd's protocol: `LISTEN_FDS`, `LISTEN_PID`, from descriptor 3 on). The
/// first is for plain HTTP, the second for TLS.
package struct InheritedSockets: Sendable, Equatable {
    private static let firstDescriptor: NIOBSDSocket.Handle = 3

    package var plain: NIOBSDSocket.Handle?
    package var tls: NIOBSDSocket.Handle?

    /// - Parameters:
    ///   - listensPlain: whether plain HTTP is served at all; otherwise the first socket is the one for TLS.
    ///   - variable: reads the environment.
    package static func find(listensPlain: Bool = true, _ variable: (String) -> String?) -> InheritedSockets {
        if let pid = variable("LISTEN_PID"), pid != "\(getpid())" { return InheritedSockets() }
        switch (variable("LISTEN_FDS"), listensPlain) {
        case ("1", true): return InheritedSockets(plain: firstDescriptor)
        case ("1", false): return InheritedSockets(tls: firstDescriptor)
        case ("2", true): return InheritedSockets(plain: firstDescriptor, tls: firstDescriptor + 1)
        case ("2", false): return InheritedSockets(tls: firstDescriptor + 1)
        default: return InheritedSockets()
        }
    }

    /// Restores the queue length of an inherited socket, since NIO listens on it again with a backlog of 128.
    static func setBacklog(_ backlog: Int32, of socket: NIOBSDSocket.Handle) throws {
        guard listen(socket, backlog) == 0 else { throw IOError(errnoCode: errno, reason: "listen") }
    }
}
