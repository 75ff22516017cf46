import NIOCore
import NIOPosix
import ServerNames

/// The IP addresses of a host, so that each is tried within a time of its own.
enum HostAddresses {
    /// Resolves a name, which blocks the thread, but not for longer than other callers wait for a name.
    ///
    /// - Returns: one `nil` for a Unix socket.
    static func of(_ host: DatabaseURL.Host) throws(PostgreSQLError) -> [String?] {
        guard !host.isSocket else { return [nil] }
        // An IPv6 address with its network interface is none for SwiftNIO.
        guard !host.name.contains("%") else { return [host.name] }
        do {
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let found = try ServerNames.system.addresses(of: host.name, port: 0, on: loop).wait()
            return found.prefix(PostgreSQLLimits.addressesMax).compactMap(\.ipAddress)
        } catch {
            let reason = if case .notFound(let words) = error as? NameFailure { words } else { "\(error)" }
            throw PostgreSQLError(.lost, "the name \"\(host.name)\" of the server is not found: \(reason)")
        }
    }
}
