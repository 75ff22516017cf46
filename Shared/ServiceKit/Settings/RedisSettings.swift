internal import Configuration
internal import Policies

/// Where Redis is and as whom this process signs in to it.
package struct RedisSettings: Sendable {
    package let host: String
    package let port: Int
    /// `REDIS_USER`: the ACL user; nil for a server without users, which production refuses.
    package let user: String?
    /// The secret `redis_<process>`.
    package let password: Secret<String>?
}

extension ProcessSettings {
    /// Reads `REDIS_URL` (redis://host:port), `REDIS_USER` and the password file.
    package func redis() throws -> RedisSettings {
        let text = reader.string(forKey: "redis.url", default: "redis://127.0.0.1:6379")
        guard text.hasPrefix("redis://"), let address = ListenAddress(parsing: String(text.dropFirst(8))) else {
            throw SettingsError(
                "REDIS_URL", "is not of the form redis://host:port; user and password have settings of their own")
        }
        let user = reader.string(forKey: "redis.user")
        let password = try secrets.password("redis_\(name)")
        guard environment != .production || (user != nil && password != nil) else {
            throw SettingsError("REDIS_USER", "production needs a Redis user and the secret redis_\(name)")
        }
        return RedisSettings(host: address.host, port: address.port, user: user, password: password)
    }
}
