import Logging
import ServiceKit
import ServiceLifecycle

/// Looks again and again whether a replica has changed the signing keys.
struct KeyWatch: Service {
    /// A key that is retired must not sign for long in a replica.
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
                    // The keys at hand stay good; the next look may succeed.
                    if !isFailing { logger.error("keys.reload_failed", metadata: ["error": "\(error)"]) }
                    isFailing = true
                }
            }
        }
    }
}
