import NIOCore
import Synchronization

/// Commands that are sent together, and the caller that waits for all their replies; completed exactly once.
///
/// A caller that cancels is resumed at once, from any thread. If the commands were written already, the request keeps its
/// place in the connection's order, and its replies are dropped.
final class RedisRequest: Sendable {
    /// All replies in order, or the reason why there are none.
    typealias Outcome = Result<[RedisReply], RedisError>

    let commands: [[RedisArgument]]
    /// The time at which the caller stops waiting.
    let deadline: NIODeadline
    private let progress: Mutex<Progress>

    private struct Progress {
        var completion: (@Sendable (Outcome) -> Void)?
        var replies: [RedisReply] = []
        var wasSent = false
        var isCancelled = false
    }

    init(_ commands: [[RedisArgument]], deadline: NIODeadline) {
        self.commands = commands
        self.deadline = deadline
        progress = Mutex(Progress())
    }

    /// Sets the callback for the outcome.
    /// - Returns: `false` if the request was cancelled before; it is complete then and must not be submitted.
    func start(_ completion: @escaping @Sendable (Outcome) -> Void) -> Bool {
        let isCancelled = progress.withLock { progress in
            if !progress.isCancelled { progress.completion = completion }
            return progress.isCancelled
        }
        if isCancelled { completion(.failure(.cancelled)) }
        return !isCancelled
    }

    /// Notes that the commands are about to be written.
    /// - Returns: `false` if the caller no longer waits; the commands must not be written then.
    func beginSending() -> Bool {
        progress.withLock { progress in
            progress.wasSent = progress.completion != nil
            return progress.wasSent
        }
    }

    /// Accepts the next reply; the last one completes the request.
    func receive(_ reply: RedisReply) {
        let finished = progress.withLock { progress -> (@Sendable () -> Void)? in
            guard let completion = progress.completion else { return nil }
            progress.replies.append(reply)
            guard progress.replies.count == commands.count else { return nil }
            progress.completion = nil
            let replies = progress.replies
            return { completion(.success(replies)) }
        }
        finished?()
    }

    /// Completes the request without replies; the error's `wasSent` is set from the request's state.
    func fail(_ error: RedisError) {
        let (completion, wasSent) = progress.withLock { progress in
            defer { progress.completion = nil }
            return (progress.completion, progress.wasSent)
        }
        completion?(.failure(error.sent(wasSent)))
    }

    /// Completes the request, none of which was written.
    func refuse(_ error: RedisError) {
        progress.withLock { $0.wasSent = false }
        fail(error)
    }

    /// Completes the request because the caller's task was cancelled.
    func cancel() {
        progress.withLock { $0.isCancelled = true }
        fail(.cancelled)
    }
}

extension RedisError {
    fileprivate static let cancelled = RedisError(.cancelled, "the calling task was cancelled")
}
