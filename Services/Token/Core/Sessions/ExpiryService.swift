internal import Logging
internal import ServiceLifecycle

/// Deletes spent grants and revocations once they have expired, a few at a time, so that no rotation waits for it.
struct ExpiryService: Service {
    static let interval: Duration = .seconds(60)
    static let rowsMax = 256

    let store: any SessionStore
    let now: @Sendable () -> Int64
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do {
                    try await Task.sleep(for: Self.interval)
                    while try await store.removeExpired(limit: Self.rowsMax, now: now()) {}
                } catch is CancellationError {
                    return
                } catch {
                    logger.warning("expiry.failed", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
