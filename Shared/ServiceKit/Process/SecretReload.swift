package import Logging
import ServiceLifecycle
import UnixSignals

/// Reads secrets, or another file that may change while the process runs, again when it gets SIGHUP.
package struct SecretReload: Service {
    private let logger: Logger
    private let subject: String
    private let reload: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - subject: The part of the log's events that says what is read.
    ///   - reload: Puts the new content in place, or throws and leaves the old ones.
    package init(logger: Logger, of subject: String = "secrets", reload: @escaping @Sendable () async throws -> Void) {
        self.logger = logger
        self.subject = subject
        self.reload = reload
    }

    package func run() async throws {
        let signals = await UnixSignalsSequence(trapping: [.sighup])
        await cancelWhenGracefulShutdown {
            for await _ in signals {
                do {
                    try await reload()
                    logger.info("\(subject).reloaded")
                } catch {
                    logger.error("\(subject).refused", metadata: ["error": "\(error)", "old": "stays"])
                }
            }
        }
    }
}
