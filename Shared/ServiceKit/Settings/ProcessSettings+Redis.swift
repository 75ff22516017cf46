import Policies
package import RedisClient

extension ProcessSettings {
    /// Reads the address of Redis and the account of this process there: `REDIS_URL`, `REDIS_USER`, which production requires,
    /// and the secret `redis_<process>`.
    package func redis() throws -> RedisConfiguration {
        let url = text("REDIS_URL")
        guard let address = url.flatMap(RedisAddress.init) else {
            // The text may contain a password, so it is not shown.
            throw SettingsError(
                "REDIS_URL",
                "is not a valid address. Use redis://host:port or unix:///path (at most \(RedisAddress.pathBytesMax) "
                    + "bytes), without user and password: these are REDIS_USER and the secret redis_\(name).")
        }
        let user = variable("REDIS_USER")
        let password = try secrets.password("redis_\(name)")
        guard environment != .production || (user != nil && password != nil) else {
            throw SettingsError(
                "REDIS_USER",
                "production needs an account in Redis. Set REDIS_USER=\(name), and make the secret redis_\(name).")
        }
        return RedisConfiguration(address: address, username: user, password: password?.value)
    }
}
