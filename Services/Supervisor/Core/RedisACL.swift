import CryptoPrimitives

/// The text of Redis' ACL file: one user per service with a hashed password, its own keys and nothing dangerous.
package enum RedisACL {
    /// A service's account.
    package struct User: Sendable, Equatable {
        package let name: String
        /// Key patterns as ACL rules: `~` reads and writes, `%R~` reads.
        package let keys: [String]
        /// The commands that it calls, by itself or in scripts; no more.
        package let commands: [String]
    }

    // Who may touch which keys; a service that is broken into harms no other one's.

    static let gateway = User(
        name: "gateway", keys: ["%R~rev:*", "~rl:edge:*"],
        commands: [
            "evalsha", "evalsha_ro", "exists", "expire", "get", "incrby", "xrange", "xread", "xrevrange", "zscan",
        ])
    static let otp = User(
        name: "otp", keys: ["~otp:*", "~audit:otp"],
        commands: [
            "del", "evalsha", "expire", "get", "hdel", "hget", "hgetall", "hincrby", "hmget", "hset", "set", "ttl",
            "xadd", "xlen",
        ])
    static let token = User(
        name: "token", keys: ["~rev:*", "~rl:refresh:*"],
        commands: [
            "del", "evalsha", "expire", "get", "lindex", "lpush", "ltrim", "pexpire", "set", "time", "xadd", "xlen",
            "zadd", "zremrangebyscore",
        ])
    static let user = User(
        name: "user", keys: ["~login:*", "~audit:otp"],
        commands: [
            "decr", "del", "evalsha", "expire", "get", "hget", "hgetall", "hincrby", "hset", "incr", "set", "xadd",
            "xdel", "xlen", "xrange",
        ])

    /// What every account may do beside. INFO tells the run id and the memory in use. Scripts are loaded, then called by
    /// digest: nobody may run any source (EVAL), and nobody may look for keys (SCAN, KEYS).
    static let commonCommands = ["auth", "info", "ping", "script|load"]

    /// Nobody can sign in as the default user, for it is off and has no password. It keeps its rights all the same:
    /// Redis replays its append-only file as that user and checks them for each transaction, which is what a script's
    /// writes are. Without them it starts and leaves those writes out, with nothing but a line in its log.
    static let defaultUser = "user default off resetpass ~* resetchannels +@all"

    /// The lines of the file.
    ///
    /// - Parameter passwords: by user name; a user without one gets no line.
    package static func text(passwords: [String: String]) -> String {
        let lines = Manifest.redisUsers.compactMap { user -> String? in
            passwords[user.name].map { password in
                let hash = Hex.encode(SHA256.hash(Array(password.utf8)))
                let commands = (commonCommands + user.commands).map { "+\($0)" }
                return (["user \(user.name) on #\(hash) resetchannels"] + user.keys + ["-@all"] + commands)
                    .joined(separator: " ")
            }
        }
        return ([defaultUser] + lines).joined(separator: "\n") + "\n"
    }
}
