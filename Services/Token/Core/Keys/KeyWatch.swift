import Logging
import ServiceKit
import ServiceLifecycle

/// Checks regularly whether a replica has changed the signing keys.
struct KeyWatch: Service {
    /// The interval between two checks. A replica must not sign for long with a retired key.
    static let interval: Duration = .milliseconds(250)

    let keys: SigningKeys
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isFailing = false
            while !Task.isCancelled {
                do {
                    try await pause(for: Self.interval)
                    try await keys.reloadIfChanged()
                    isFailing = false
                } catch is CancellationError {
                    return
                } catch {
                    // The loaded keys stay valid; the next check may succeed.
                    if !isFailing { logger.error("keys.reload_failed", metadata: ["error": "\(error)"]) }
                    isFailing = true
                }
            }
        }
    }
}
