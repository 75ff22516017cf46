package import NIOCore
import ServiceKit

extension EventLoop {
    /// Returns the result of `operation`, which begins on this loop's own thread if called from there.
    package func future<Value: Sendable>(
        of operation: @escaping @Sendable () async -> Value
    ) -> EventLoopFuture<Value> {
        let promise = makePromise(of: Value.self)
        Task(executorPreference: EventLoopExecutor.shared) { promise.succeed(await operation()) }
        return promise.futureResult
    }
}
