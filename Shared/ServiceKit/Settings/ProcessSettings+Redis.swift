import FoundationEssentials
import NIOSSL
import Policies
package import RedisClient

extension ProcessSettings {
    /// Reads where Redis is and the account of this process there: `REDIS_URL`, `REDIS_USER`, which production requires, and the
    /// secret `redis_<process>`.
    package func redis() throws -> RedisConfiguration {
        // The text may contain a password, so it is not shown.
        guard let url = text("REDIS_URL").flatMap(RedisURL.init) else {
            throw SettingsError(
                "REDIS_URL",
                "is not a valid address. Use redis://host:port, redis+sentinel://host:port,host:port,host:port/name with all "
                    + "Sentinels, either with rediss for TLS, or unix:///path (at most \(RedisAddress.pathBytesMax) bytes); without "
                    + "user and password: these are REDIS_USER and the secret redis_\(name). Redis Cluster is not supported."
            )
        }
        let user = variable("REDIS_USER")
        let password = try secrets.password("redis_\(name)")
        guard environment != .production || (user != nil && password != nil) else {
            throw SettingsError(
                "REDIS_USER",
                "production needs an account in Redis. Set REDIS_USER=\(name), and make the secret redis_\(name).")
        }
        let tls = url.isTLS ? try redisTLS() : nil
        return RedisConfiguration(
            try location(url.target, tls), username: user, password: password?.value, tls: tls)
    }

    private func location(_ target: RedisURL.Target, _ tls: RedisTLS?) throws -> RedisLocation {
        switch target {
        case .server(let address): return .server(address)
        case .sentinels(let addresses, let name):
            let (user, password) = (variable("REDIS_SENTINEL_USER"), try secrets.password("sentinel_password")?.value)
            guard user == nil || password != nil else {
                throw SettingsError("REDIS_SENTINEL_USER", "it needs the secret sentinel_password.")
            }
            return .sentinels(
                RedisMaster(
                    name: name,
                    sentinels: addresses.map { address in
                        RedisConfiguration(.unchecked(address), username: user, password: password, tls: tls)
                    }))
        }
    }

    private func redisTLS() throws -> RedisTLS {
        let authorities = variable("REDIS_CA_FILE")
        let pair = try clientPair()
        do {
            return try RedisTLS { RedisTLS.Material(authorities: authorities, pair: try clientPair()) }
        } catch {
            let setting = pair == nil || authorities != nil ? "REDIS_CA_FILE" : "REDIS_CLIENT_CERTIFICATE"
            throw SettingsError(
                setting,
                "the file does not exist, cannot be read, has no certificate in PEM, or does not fit its key (\(error))."
            )
        }
    }

    private func clientPair() throws -> (certificates: [UInt8], key: [UInt8])? {
        guard let file = variable("REDIS_CLIENT_CERTIFICATE") else { return nil }
        guard let key = try secrets.optionalText("redis_client_key") else {
            throw SettingsError("REDIS_CLIENT_CERTIFICATE", "it needs the secret redis_client_key.")
        }
        guard let certificates = FileManager.default.contents(atPath: file) else {
            throw SettingsError("REDIS_CLIENT_CERTIFICATE", "the file \(file) does not exist or cannot be read.")
        }
        return (Array(certificates), Array(key.value.utf8))
    }
}
