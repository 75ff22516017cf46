import NIOCore
import Synchronization

/// Commands that travel together, and the caller who waits for all their replies; completed exactly once.
///
/// A caller who gives up is answered at once, from any thread. If the commands were written already, the request
/// keeps its place in the connection's order, and its replies are dropped when they come.
final class RedisRequest: Sendable {
    /// All replies in order, or why there are none.
    typealias Outcome = Result<[RedisReply], RedisError>

    let commands: [[RedisArgument]]
    /// When the caller stops waiting.
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

    /// Names who is told of the outcome.
    /// - Returns: false when the request was cancelled before; it is then complete and must not be submitted.
    func start(_ completion: @escaping @Sendable (Outcome) -> Void) -> Bool {
        let isCancelled = progress.withLock { progress in
            if !progress.isCancelled { progress.completion = completion }
            return progress.isCancelled
        }
        if isCancelled { completion(.failure(.cancelled)) }
        return !isCancelled
    }

    /// Notes that the commands are being written.
    /// - Returns: false when nobody waits any more; the commands must then not be written.
    func beginSending() -> Bool {
        progress.withLock { progress in
            progress.wasSent = progress.completion != nil
            return progress.wasSent
        }
    }

    /// Takes the next reply; the last one completes the request.
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

    /// Completes the request without replies; `wasSent` of the error is set from what happened to the request.
    func fail(_ error: RedisError) {
        let (completion, wasSent) = progress.withLock { progress in
            defer { progress.completion = nil }
            return (progress.completion, progress.wasSent)
        }
        completion?(.failure(error.sent(wasSent)))
    }

    /// Completes the request, nothing of which was written.
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
