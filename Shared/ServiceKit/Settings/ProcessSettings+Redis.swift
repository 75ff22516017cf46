import Configuration
import Policies
package import RedisClient

extension ProcessSettings {
    /// Reads where Redis is, and as whom this process signs in to it: `REDIS_URL`, `REDIS_USER`, which production demands, and
    /// the secret `redis_<process>`.
    package func redis() throws -> RedisConfiguration {
        let url = reader.string(forKey: "redis.url", default: "redis://127.0.0.1:6379")
        guard let address = RedisAddress(url: url) else {
            throw SettingsError(
                "REDIS_URL",
                "is not of the form redis://host:port or unix:///path (\(RedisAddress.pathBytesMax) bytes at most); "
                    + "user and password have settings of their own")
        }
        let user = reader.string(forKey: "redis.user")
        let password = try secrets.password("redis_\(name)")
        guard environment != .production || (user != nil && password != nil) else {
            throw SettingsError("REDIS_USER", "production needs a Redis user and the secret redis_\(name)")
        }
        return RedisConfiguration(address: address, username: user, password: password?.value)
    }
}
