import ArgumentParser
import Configuration
import GatewayCore
import Logging
import OTPCore
import RedisClient
import ServiceKit
import TokenCore
import UserCore

/// `latchkeyctl redis load`
struct RedisLoad: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Loads the services' functions into Redis.",
        discussion: """
            Waits until Redis is ready, loads the libraries of this release, and deletes those of earlier releases. It can be \
            run at any time, also while the services run. The address of Redis is REDIS_URL, the account is REDIS_USER \
            (functions), and its password is the secret redis_functions.
            """)

    /// The libraries of this release. `FUNCTION LIST` shows by them which functions each service needs.
    static let libraries = [
        CodeFunctions.library, GatewayFunctions.library, GuessFunctions.library, TokenFunctions.library,
    ]
    /// How long Redis may take until it serves requests.
    private static let patience: Duration = .seconds(60)
    private static let pause: Duration = .milliseconds(100)

    func run() async throws {
        let settings = try ProcessSettings(
            name: "functions", defaultPort: 0, reader: ConfigReader(provider: EnvironmentVariablesProvider()))
        var configuration = try settings.redis()
        configuration.connectionCount = 1
        configuration.commandTimeout = .seconds(5)
        let redis = RedisClient(configuration, logger: Logger(label: "redis load") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { try await redis.run() }
        defer { running.cancel() }
        let deleted = try await Self.load(with: redis, until: .now + Self.patience)
        print("loaded: \(Self.libraries.map(\.name).joined(separator: " "))")
        if !deleted.isEmpty { print("deleted: \(deleted.joined(separator: " "))") }
    }

    /// Loads all libraries, and tries again while Redis does not serve requests yet.
    ///
    /// - Throws: `CommandFailure`.
    static func load(with redis: RedisClient, until deadline: ContinuousClock.Instant) async throws -> [String] {
        while true {
            do throws(RedisError) {
                return try await redis.load(libraries, now: UnixTime.seconds())
            } catch {
                guard error.mayPass, ContinuousClock.now < deadline else {
                    throw CommandFailure(description: "Redis: \(error.code.rawValue): \(error.message)")
                }
            }
            try await Task.sleep(for: pause)
        }
    }
}

extension RedisError {
    /// Whether the same command may succeed later.
    fileprivate var mayPass: Bool {
        switch code {
        case .notConnected, .timeout, .connectionLost: true
        case .reply: ["BUSY", "LOADING", "READONLY"].contains(replyPrefix)
        default: false
        }
    }
}
