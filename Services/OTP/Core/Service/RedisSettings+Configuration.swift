internal import RedisClient
internal import ServiceKit

extension RedisSettings {
    /// What the client needs to know of them.
    var configuration: RedisConfiguration {
        RedisConfiguration(host: host, port: port, username: user, password: password?.value)
    }
}
