import Glibc

/// The sockets for clients. The supervisor keeps them open, so that no connection is refused while the gateway restarts.
struct PublicSockets: Sendable {
    /// The least descriptor of these sockets. Lower ones are those at which processes find the sockets that they are passed.
    private static let leastDescriptor: Int32 = 16

    let plain: Int32
    /// `nil` if the stack does not serve TLS.
    let tls: Int32?

    /// Listens on the ports of the settings.
    static func open(_ settings: SupervisorSettings) throws(StartFailure) -> PublicSockets {
        let plain = try listen(on: settings.port, "LATCHKEY_PORT", settings)
        guard let port = settings.tlsPort else { return PublicSockets(plain: plain, tls: nil) }
        return PublicSockets(plain: plain, tls: try listen(on: port, "LATCHKEY_TLS_PORT", settings))
    }

    private static func listen(
        on port: UInt16, _ variable: String, _ settings: SupervisorSettings
    ) throws(StartFailure) -> Int32 {
        guard let socket = LoopbackSocket.listen(on: port, everywhere: settings.isForPhones) else {
            throw Self.failure(port, variable, error: errno)
        }
        defer { Glibc.close(socket) }
        let moved = fcntl(socket, F_DUPFD_CLOEXEC, leastDescriptor)
        guard moved >= 0 else { throw .system("keep a descriptor for port \(port)", error: errno) }
        return moved
    }

    private static func failure(_ port: UInt16, _ variable: String, error: Int32) -> StartFailure {
        error == EACCES
            ? StartFailure("\(variable): port \(port) needs root. Use a port from 1024 on.")
            : .portTaken(port, variable)
    }

    /// The sockets in the order in which a process gets them.
    var all: [Int32] { [plain] + (tls.map { [$0] } ?? []) }

    /// The port that `tls` is bound to.
    var tlsPort: UInt16? { tls.flatMap { LoopbackSocket.port(of: $0) } }

    func close() { for socket in all { Glibc.close(socket) } }
}
