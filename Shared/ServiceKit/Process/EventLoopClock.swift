internal import NIOCore
internal import NIOPosix

/// The continuous clock, whose sleepers are woken by a thread that serves sockets: for what looks around many times a
/// second.
///
/// Another clock's wake-up takes three changes of thread, which would be most of what a process at rest does.
package struct EventLoopClock: Clock {
    package var now: ContinuousClock.Instant { .now }
    package var minimumResolution: Duration { .milliseconds(1) }

    /// - Throws: `CancellationError` when the task is cancelled before the deadline.
    package func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let wake = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(deadline - .now)) {}
        do {
            try await withTaskCancellationHandler {
                try await wake.futureResult.get()
            } onCancel: {
                wake.cancel()
            }
        } catch EventLoopError.cancelled {
            throw CancellationError()
        }
    }
}

extension Clock where Self == EventLoopClock {
    package static var eventLoop: EventLoopClock { EventLoopClock() }
}
