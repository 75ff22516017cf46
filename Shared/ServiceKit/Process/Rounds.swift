import NIOCore
import NIOPosix
import ServiceLifecycle

/// Runs `round` again and again, with a pause after each, until the process is told to stop. Then the current round is
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

/// Waits on an event loop, which wakes only its own thread. `Task.sleep` wakes three more threads, and a process that checks
/// something ten times a second does little else.
///
/// - Throws: `CancellationError`, as soon as the task is cancelled.
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
