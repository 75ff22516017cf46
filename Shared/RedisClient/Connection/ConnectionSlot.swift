import Logging
import NIOCore
import Synchronization

/// A `ConnectionKeeper` that any thread may use.
///
/// Requests are collected in an inbox, and the event loop is woken once for all of them: thousands of commands a second
/// then share wake-ups and writes.
final class ConnectionSlot: Sendable {
    private let eventLoop: any EventLoop
    private let inboxRequestsMax: Int
    private let inbox = Mutex<[RedisRequest]>([])
    private let state: State
    private let keeper: NIOLoopBoundBox<ConnectionKeeper>

    /// - Parameter jitter: Returns a random number in 0…1 for each delay before a new attempt.
    /// - Parameter readinessChanged: Called on the event loop when the connection becomes ready or is no longer ready.
    init(
        _ configuration: RedisConfiguration, eventLoop: any EventLoop, logger: Logger,
        jitter: @escaping @Sendable () -> Double, readinessChanged: @escaping @Sendable (Bool) -> Void
    ) {
        self.eventLoop = eventLoop
        inboxRequestsMax = configuration.pendingCommandsMax
        let state = State()
        self.state = state
        keeper = NIOLoopBoundBox.makeBoxSendingValue(
            ConnectionKeeper(
                configuration, eventLoop: eventLoop, logger: logger, jitter: jitter,
                readinessChanged: { isReady in
                    state.setReady(isReady)
                    readinessChanged(isReady)
                }, failed: { state.setFailure($0) }),
            eventLoop: eventLoop)
    }

    /// Whether a command is written at once.
    var isReady: Bool { state.isReady }

    /// Why the last connection was not made, or was lost; `nil` since one is ready.
    var failure: RedisError? { state.failure }

    /// Connects, and keeps the connection until `end`.
    func start() {
        eventLoop.execute { self.keeper.value.start() }
    }

    /// Closes the connection if Sentinels have replaced its server.
    func leaveReplaced() {
        eventLoop.execute { self.keeper.value.leaveReplaced() }
    }

    /// Submits a request, which is completed in any case.
    func submit(_ request: RedisRequest) {
        let waitingBefore = inbox.withLock { inbox -> Int in
            let waitingBefore = inbox.count
            if waitingBefore < inboxRequestsMax { inbox.append(request) }
            return waitingBefore
        }
        if waitingBefore == 0 {
            eventLoop.execute { self.takeInbox() }
        } else if waitingBefore >= inboxRequestsMax {
            request.refuse(RedisError(.tooManyPending, "\(waitingBefore) requests wait for the event loop"))
        }
    }

    /// Closes for good, once the replies to all written requests have arrived or their time is over.
    func end() -> EventLoopFuture<Void> {
        eventLoop.flatSubmit {
            self.takeInbox()
            let promise = self.eventLoop.makePromise(of: Void.self)
            self.keeper.value.end(promise)
            return promise.futureResult
        }
    }

    private func takeInbox() {
        let requests = inbox.withLock { inbox in
            defer { inbox = [] }
            return inbox
        }
        if !requests.isEmpty { keeper.value.accept(requests) }
    }
}

/// Whether a connection is ready, and why not, readable from any thread.
private final class State: Sendable {
    private let ready = Atomic<Bool>(false)
    private let last = Mutex<RedisError?>(nil)

    var isReady: Bool { ready.load(ordering: .relaxed) }
    var failure: RedisError? { last.withLock { $0 } }

    func setReady(_ isReady: Bool) {
        ready.store(isReady, ordering: .relaxed)
        if isReady { setFailure(nil) }
    }

    func setFailure(_ error: RedisError?) { last.withLock { $0 = error } }
}
