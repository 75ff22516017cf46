/// The text of the configuration file of the stack's own Redis.
package enum RedisConfigurationFile {
    /// Lines for a Redis that loses at most a second of writes, evicts nothing and listens on loopback alone.
    ///
    /// - Parameter socket: path of a socket file at which it listens too.
    package static func text(
        port: UInt16, socket: String? = nil, directory: String, aclFile: String,
        memoryMegabytes: Int = SupervisorSettings.redisMegabytes
    ) -> String {
        let lines = """
            bind 127.0.0.1
            port \(port)
            dir \(quoted(directory))
            aclfile \(quoted(aclFile))
            databases 1
            appendonly yes
            appendfsync everysec
            save ""
            maxmemory \(memoryMegabytes)mb
            maxmemory-policy noeviction
            # Timeouts of blocking reads are looked at 100 times a second: with the default of 10 a gateway's read of the
            # revocation stream for 25 ms takes 100 ms on a quiet server, and the gateway loses contact.
            hz 100
            daemonize no
            # Keeps the environment readable in /proc, by which a later supervisor knows whose process this is.
            set-proc-title no

            """
        return lines + (socket.map { "unixsocket \(quoted($0))\nunixsocketperm 700\n" } ?? "")
    }

    /// A path as one argument, whatever it holds.
    private static func quoted(_ path: String) -> String {
        var text = "\""
        for character in path.unicodeScalars {
            if character == "\"" || character == "\\" { text += "\\" }
            text.unicodeScalars.append(character)
        }
        return text + "\""
    }
}
