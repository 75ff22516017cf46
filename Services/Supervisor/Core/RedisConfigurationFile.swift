/// The text of the configuration file of the stack's own Redis.
package enum RedisConfigurationFile {
    /// The settings that Redis also has in docker-compose.yml: it loses at most a second of writes and evicts nothing.
    package static let common = [
        ("databases", "1"), ("appendonly", "yes"), ("appendfsync", "everysec"), ("save", "\"\""),
        ("maxmemory-policy", "noeviction"),
        // Timeouts of blocking reads are looked at 100 times a second: with the default of 10 a gateway's read of the
        // revocation stream for 25 ms takes 100 ms on a quiet server, and the gateway loses contact.
        ("hz", "100"),
    ]

    /// Returns the lines for a Redis that listens only on loopback.
    ///
    /// - Parameters:
    ///   - socket: The path of a socket file at which it also listens.
    ///   - socketMode: Who may use the socket file.
    ///   - log: The path of its log; standard output if `nil`.
    package static func text(
        port: UInt16, socket: String? = nil, socketMode: String = "700", directory: String, aclFile: String,
        log: String? = nil,
        memoryMegabytes: Int = SupervisorSettings.redisMegabytes
    ) -> String {
        let lines = """
            bind 127.0.0.1
            port \(port)
            dir \(quoted(directory))
            aclfile \(quoted(aclFile))
            \(common.map { "\($0) \($1)" }.joined(separator: "\n"))
            maxmemory \(memoryMegabytes)mb
            daemonize no
            # Keeps the environment readable in /proc, which shows whose process this is.
            set-proc-title no

            """
        // Redis opens the file for each line, so a file that was moved away is made again.
        return lines + (log.map { "logfile \(quoted($0))\n" } ?? "")
            + (socket.map { "unixsocket \(quoted($0))\nunixsocketperm \(socketMode)\n" } ?? "")
    }

    /// Quotes a path as one argument, whatever characters it contains.
    private static func quoted(_ path: String) -> String {
        var text = "\""
        for character in path.unicodeScalars {
            if character == "\"" || character == "\\" { text += "\\" }
            text.unicodeScalars.append(character)
        }
        return text + "\""
    }
}
