/// Where Redis is, as whom to sign in, and the bounds on waiting, retrying and memory.
package struct RedisConfiguration: Sendable {
    /// Where the server listens.
    package var address: RedisAddress
    /// ACL user; nil with a password means the user `default`.
    package var username: String?
    /// Password; nil: no `AUTH` is sent.
    package var password: String?
    /// Connections over which concurrent commands are pipelined.
    package var connectionCount = 2
    /// From the call to the reply, waiting for a connection included; then the command fails and its connection closes.
    package var commandTimeout: Duration = .seconds(1)
    /// For the connection, and again for authentication and first reply.
    package var connectTimeout: Duration = .milliseconds(500)
    /// Delays between attempts to connect.
    package var backoff = ReconnectBackoff()
    /// Commands of one connection that may wait for their replies, or for the connection; one more is refused.
    package var pendingCommandsMax = 16_384
    /// The largest reply, in bytes on the wire.
    package var replyBytesMax = 16 * 1_024 * 1_024

    package init(address: RedisAddress, username: String? = nil, password: String? = nil) {
        self.address = address
        self.username = username
        self.password = password
    }

    /// A server on the loopback.
    package init(port: Int = 6_379, username: String? = nil, password: String? = nil) {
        self.init(address: .tcp(host: "127.0.0.1", port: port), username: username, password: password)
    }
}

extension RedisConfiguration: CustomStringConvertible {
    /// The address alone, so that no password gets into a log.
    package var description: String { "\(address)" }
}

extension RedisConfiguration {
    /// What a connection says first: who it is, then a `PING`, whose answer shows that the server serves.
    var handshake: [[RedisArgument]] {
        var commands: [[RedisArgument]] = []
        if let password {
            let user = username.map { [RedisArgument($0)] } ?? []
            commands.append(["AUTH"] + user + [RedisArgument(password)])
        }
        commands.append(["PING"])
        return commands
    }
}
