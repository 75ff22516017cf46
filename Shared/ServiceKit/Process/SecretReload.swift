package import Logging
import ServiceLifecycle
import UnixSignals

/// Reads secrets again when the process gets SIGHUP.
package struct SecretReload: Service {
    private let logger: Logger
    private let reload: @Sendable () async throws -> Void

    /// - Parameter reload: Puts the new secrets in place, or throws and leaves the old ones.
    package init(logger: Logger, reload: @escaping @Sendable () async throws -> Void) {
        self.logger = logger
        self.reload = reload
    }

    package func run() async throws {
        let signals = await UnixSignalsSequence(trapping: [.sighup])
        await cancelWhenGracefulShutdown {
            for await _ in signals {
                do {
                    try await reload()
                    logger.info("secrets.reloaded")
                } catch {
                    logger.error("secrets.refused", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
