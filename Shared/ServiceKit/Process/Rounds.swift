import ServiceLifecycle

/// Does `round` again and again, with a pause after each, until the process is told to stop; then the round under way is
/// cancelled.
package func repeatUntilShutdown(every pause: Duration, _ round: @escaping @Sendable () async -> Void) async {
    await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
            await round()
            // Cancellation ends the sleep; the loop's condition sees it.
            do { try await Task.sleep(for: pause) } catch { return }
        }
    }
}
