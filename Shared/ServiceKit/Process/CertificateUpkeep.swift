package import Logging
import ServiceLifecycle

/// Reads certificates again on SIGHUP, and shows until when they are valid.
package struct CertificateUpkeep: Service {
    /// How often the end of the certificates is looked at; a warning of it is logged once a day.
    private static let interval: Duration = .seconds(3600)

    private let watch = ExpiryWatch()
    private let logger: Logger
    private let subject: String
    private let ends: @Sendable () -> [String: Int64]
    private let reload: @Sendable () throws -> Void

    /// - Parameters:
    ///   - subject: The part of the log's events that says what is read again.
    ///   - ends: Returns the last Unix second in which each certificate is valid, by its name.
    ///   - reload: Puts the new certificates in place, or throws and leaves the old ones.
    package init(
        logger: Logger, of subject: String = "tls", ends: @escaping @Sendable () -> [String: Int64],
        reload: @escaping @Sendable () throws -> Void
    ) {
        self.logger = logger
        self.subject = subject
        self.ends = ends
        self.reload = reload
    }

    package func run() async throws {
        let reloads = SecretReload(logger: logger, of: subject) {
            try reload()
            look()
        }
        async let end: Void = reloads.run()
        await repeatUntilShutdown(every: Self.interval) { look() }
        try await end
    }

    private func look() { watch.look(at: ends(), now: UnixTime.seconds(), logger: logger) }
}
