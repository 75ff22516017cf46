package import ServerNames

/// The address and credentials of Redis, and the bounds on waiting, retrying and memory.
package struct RedisConfiguration: Sendable {
    /// Where the server is.
    package var location: RedisLocation
    /// TLS to the server; `nil` for plain TCP or a socket file.
    package var tls: RedisTLS?
    /// The ACL user; `nil` with a password means the user `default`.
    package var username: String?
    /// The password; `nil` sends no `AUTH`.
    package var password: String?
    /// The resolver of the servers' names.
    package var names = ServerNames.system
    /// The number of connections over which concurrent commands are pipelined.
    package var connectionCount = 2
    /// The time from the call to the reply, including the wait for a connection; after it the command fails and its
    /// connection closes.
    package var commandTimeout: Duration = .seconds(1)
    /// The time limit for the connection, and again for authentication and the first reply.
    package var connectTimeout: Duration = .milliseconds(500)
    /// The delays between attempts to connect.
    package var backoff = ReconnectBackoff()
    /// The maximum number of commands of one connection that wait for their replies or for the connection; one more is
    /// refused.
    package var pendingCommandsMax = 16_384
    /// The largest reply, in bytes on the wire.
    package var replyBytesMax = 16 * 1_024 * 1_024

    package init(
        _ location: RedisLocation, username: String? = nil, password: String? = nil, tls: RedisTLS? = nil
    ) {
        self.location = location
        self.tls = tls
        self.username = username
        self.password = password
    }

    /// A server on the loopback.
    package init(port: Int = 6_379, username: String? = nil, password: String? = nil) {
        self.init(.server(.tcp(host: "127.0.0.1", port: port)), username: username, password: password)
    }
}

extension RedisConfiguration: CustomStringConvertible {
    /// Only the address, so that no password is logged.
    package var description: String { "\(location)" }
}

extension RedisConfiguration {
    /// The first commands of a connection: authentication; then a `PING`, whose reply shows that the server works, and `ROLE`,
    /// whose reply shows that it is a master.
    var handshake: [[RedisArgument]] {
        var commands: [[RedisArgument]] = []
        if let password {
            let user = username.map { [RedisArgument($0)] } ?? []
            commands.append(["AUTH"] + user + [RedisArgument(password)])
        }
        commands.append(["PING"])
        return asksRole ? commands + [["ROLE"]] : commands
    }

    /// Whether the last command of the handshake is `ROLE`.
    var asksRole: Bool {
        if case .unchecked = location { false } else { true }
    }
}
