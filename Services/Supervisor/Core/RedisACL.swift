import CryptoPrimitives

/// The text of Redis' ACL file. It has one user per service with a hashed password, the service's own keys and no dangerous
/// commands; one user that loads functions; the operator's; and those of replicas and Sentinels.
package enum RedisACL {
    /// An account.
    package struct User: Sendable, Equatable {
        package let name: String
        /// The key patterns as ACL rules: `~` reads and writes, `%R~` reads.
        package let keys: [String]
        /// The only commands that it may call, directly or in functions.
        package let commands: [String]
        /// The channel patterns as ACL rules.
        package var channels: [String] = []
    }

    // Each service reads and writes its own keys only, so that a break-in at one does not harm another.

    static let gateway = User(
        name: "gateway", keys: ["%R~rev:*", "~rl:edge:*"],
        commands: [
            "exists", "expire", "get", "incrby", "xrange", "xread", "xrevrange", "zscan",
        ])
    static let otp = User(
        name: "otp", keys: ["~otp:*", "~audit:otp"],
        commands: [
            "del", "expire", "get", "hdel", "hget", "hgetall", "hincrby", "hmget", "hset", "set", "ttl",
            "xadd", "xlen",
        ])
    static let token = User(
        name: "token", keys: ["~rev:*", "~rl:refresh:*", "~db:token"],
        commands: [
            "del", "expire", "get", "lindex", "lpush", "ltrim", "pexpire", "set", "time", "xadd", "xlen",
            "zadd", "zremrangebyscore", "zscore",
        ])
    static let user = User(
        name: "user", keys: ["~login:*", "~audit:otp", "~db:user"],
        commands: [
            "decr", "del", "expire", "get", "hget", "hgetall", "hincrby", "hset", "incr", "set", "xadd", "xdel", "xlen",
            "xrange", "zadd", "zscore",
        ])

    /// The account that loads the services' functions: it has no keys, so it cannot run what it loads on any data.
    static let functions = User(
        name: "functions", keys: [], commands: ["function|delete", "function|list", "function|load"])
    /// The operator's account, which stops scripts and connections that run for too long.
    static let operatorUser = User(
        name: "operator", keys: [],
        commands: ["client|kill", "client|list", "function|kill", "function|stats", "script|kill"])

    /// The account by which a replica copies its master; without keys it can read them only whole.
    static let replica = User(name: "replica", keys: [], commands: ["psync", "replconf"])
    /// The account by which Sentinels watch servers and choose a master.
    static let sentinel = User(
        name: "sentinel", keys: [],
        commands: [
            "client|kill", "client|setname", "config|rewrite", "exec", "failover", "multi", "publish", "script|kill",
            "slaveof", "subscribe",
        ],
        channels: ["&__sentinel__:hello"])

    /// The commands that every account may use in addition. `INFO` reports the run id and the memory in use, `ROLE` whether the
    /// server is a master.
    static let commonCommands = ["auth", "info", "ping", "role"]

    /// The commands of accounts with keys. Services run functions that the account `functions` has loaded. They must not run a
    /// source of their own (`EVAL`, `SCRIPT LOAD`) or search for keys (`SCAN`, `KEYS`).
    static let functionCalls = ["fcall", "fcall_ro"]

    /// The default user, which is off and has no password, so it cannot sign in. It keeps its rights nevertheless: Redis
    /// replays its append-only file as that user and checks them for each transaction, and a function's writes are
    /// transactions. Without the rights, Redis starts and leaves those writes out, with only a line in its log.
    static let defaultUser = "user default off resetpass ~* resetchannels +@all"

    /// The lines of the file.
    ///
    /// - Parameter passwords: The passwords by user name; a user without one gets no line.
    package static func text(passwords: [String: String]) -> String {
        let lines = Manifest.redisUsers.compactMap { user -> String? in
            passwords[user.name].map { password in
                let hash = Hex.encode(SHA256.hash(Array(password.utf8)))
                let common = commonCommands + (user.keys.isEmpty ? [] : functionCalls)
                let commands = (common + user.commands).map { "+\($0)" }
                let rules = user.channels + user.keys + ["-@all"] + commands
                return "user \(user.name) on #\(hash) resetchannels " + rules.joined(separator: " ")
            }
        }
        return ([defaultUser] + lines).joined(separator: "\n") + "\n"
    }
}
