import NIOCore
import NIOPosix
import ServiceLifecycle

/// Does `round` again and again, with a pause after each, until the process is told to stop; then the round under way is
/// cancelled.
package func repeatUntilShutdown(every interval: Duration, _ round: @escaping @Sendable () async -> Void) async {
    await cancelWhenGracefulShutdown {
        while !Task.isCancelled {
            await round()
            // Cancellation ends the pause; the loop's condition sees it.
            do { try await pause(for: interval) } catch { return }
        }
    }
}

/// Waits on an event loop, which wakes nobody but itself for it: `Task.sleep` wakes three threads more, and a process that
/// looks for something ten times a second does little else.
///
/// - Throws: `CancellationError`, at once when the task is cancelled.
package func pause(for duration: Duration) async throws {
    let timer = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(duration)) {}
    do {
        try await withTaskCancellationHandler {
            try await timer.futureResult.get()
        } onCancel: {
            timer.cancel()
        }
    } catch { throw CancellationError() }
}
