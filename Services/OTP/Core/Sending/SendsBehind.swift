import CallDeadlines
import Instrumentation
import InternalAPI
import ServiceLifecycle
import Synchronization

/// Runs messages whose requests may be answered before they are sent. A process that stops lets them finish.
final class SendsBehind: Service {
    private let waiting: AsyncStream<@Sendable () async -> Void>
    private let queue: AsyncStream<@Sendable () async -> Void>.Continuation

    /// Their number is bounded by `SendLoad`; what it refuses ends at once.
    init() { (waiting, queue) = AsyncStream.makeStream() }

    /// Starts `send` as part of the caller's request: with its trace and its deadline.
    func start(_ send: @escaping @Sendable () async -> Void) {
        let (id, deadline, context) = (TracedRequest.id, CallDeadline.current, InstrumentationContext.current)
        queue.yield {
            await TracedRequest.$id.withValue(id) {
                await CallDeadline.$current.withValue(deadline) {
                    await InstrumentationContext.$current.withValue(context) { await send() }
                }
            }
        }
    }

    func run() async throws {
        await withGracefulShutdownHandler { [self] in
            await withDiscardingTaskGroup { group in
                for await send in waiting { group.addTask { await send() } }
            }
        } onGracefulShutdown: { [queue] in
            queue.finish()
        }
    }
}

/// The response to a request that is answered at a set moment, whether or not it is known by then.
final class LateAnswer: Sendable {
    private enum State {
        case open
        case known(Result<OTPRequestAnswer, any Error>)
        /// The request was answered as if the message had been accepted.
        case accepted
    }

    private let state = Mutex(State.open)

    /// Whether the response is known.
    var isKnown: Bool {
        state.withLock { state in
            if case .known = state { true } else { false }
        }
    }

    /// Whether the request has been answered already.
    var isAccepted: Bool {
        state.withLock { state in
            if case .accepted = state { true } else { false }
        }
    }

    /// Stores the response, unless the request has been answered.
    func settle(_ send: () async throws -> OTPRequestAnswer) async {
        let result: Result<OTPRequestAnswer, any Error>
        do { result = .success(try await send()) } catch { result = .failure(error) }
        state.withLock { state in
            if case .open = state { state = .known(result) }
        }
    }

    /// Returns the response, if it is known by now.
    func take() throws -> OTPRequestAnswer {
        try state.withLock { state in
            guard case .known(let result) = state else {
                state = .accepted
                return OTPRequestAnswer(.sent)
            }
            return try result.get()
        }
    }
}
