import Logging
import NIOCore

/// Keeps one connection open: connects, reconnects after each loss, and queues requests meanwhile.
///
/// Stays on its event loop; other threads use it through `ConnectionSlot`.
final class ConnectionKeeper {
    private let configuration: RedisConfiguration
    private let eventLoop: any EventLoop
    private let logger: Logger
    private let jitter: @Sendable () -> Double
    private let readinessChanged: @Sendable (Bool) -> Void
    private let failed: @Sendable (RedisError) -> Void

    private var handler: ConnectionHandler?
    private var isReady = false
    private var isEnding = false
    private var failures = 0
    private var retry: Scheduled<Void>?
    private var waiting: WaitingRequests
    private var waitingTimer: Scheduled<Void>?
    private var ended: EventLoopPromise<Void>?

    init(
        _ configuration: RedisConfiguration, eventLoop: any EventLoop, logger: Logger,
        jitter: @escaping @Sendable () -> Double, readinessChanged: @escaping @Sendable (Bool) -> Void,
        failed: @escaping @Sendable (RedisError) -> Void
    ) {
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.logger = logger
        self.jitter = jitter
        self.readinessChanged = readinessChanged
        self.failed = failed
        waiting = WaitingRequests(commandsMax: configuration.pendingCommandsMax)
    }

    /// Starts to connect.
    func start() {
        guard handler == nil, retry == nil, !isEnding else { return }
        connect()
    }

    /// Writes the requests, or queues them for the connection within their time.
    func accept(_ requests: [RedisRequest]) {
        if isEnding {
            for request in requests { request.fail(.ended) }
        } else if isReady, let handler, handler.isTrusted {
            handler.send(requests)
        } else {
            if isReady { handler?.close(.replaced) }
            for request in requests { waiting.append(request) }
            startWaitingTimer()
        }
    }

    /// Closes a connection to a server that Sentinels have replaced, also if no request would notice.
    func leaveReplaced() {
        if isReady, let handler, !handler.isTrusted { handler.close(.replaced) }
    }

    /// Closes for good: queued requests fail; written ones get their replies within their time.
    func end(_ promise: EventLoopPromise<Void>) {
        guard ended == nil else { return promise.succeed() }
        isEnding = true
        ended = promise
        retry?.cancel()
        failWaiting(.ended)
        setReady(false)
        guard let handler else { return promise.succeed() }
        handler.drain()
    }
}

// MARK: - Connection

extension ConnectionKeeper {
    private func connect() {
        retry = nil
        handler = ConnectionHandler.connect(
            configuration, on: eventLoop,
            observer: ConnectionHandler.Observer(
                ready: { [weak self] in self?.becameReady() }, closed: { [weak self] in self?.closed($0) }))
    }

    private func becameReady() {
        logger.info("redis.connected", metadata: ["redis.address": "\(address)"])
        failures = 0
        setReady(true)
        waitingTimer?.cancel()
        waitingTimer = nil
        handler?.send(waiting.takeAll())
    }

    /// The server of this attempt, or what leads to it.
    private var address: String { handler?.address?.description ?? "\(configuration)" }

    private func closed(_ reason: RedisError) {
        defer { handler = nil }
        setReady(false)
        if isEnding {
            ended?.succeed()
            return
        }
        failures += 1
        failed(reason)
        log(reason)
        // A wrong password will not become right; every other failure may pass within the requests' time.
        if reason.code == .authenticationFailed { failWaiting(reason) }
        let delay = configuration.backoff.delay(afterFailures: failures, jitter: jitter())
        retry = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [weak self] in self?.connect() }
    }

    private func setReady(_ ready: Bool) {
        guard ready != isReady else { return }
        isReady = ready
        readinessChanged(ready)
    }

    /// Warns once per loss, since the attempts that follow would fill the log.
    private func log(_ reason: RedisError) {
        logger.log(
            level: failures == 1 ? .warning : .debug, "redis.disconnected",
            metadata: [
                "redis.address": "\(address)", "error.code": "\(reason.code.rawValue)",
                "error.message": "\(reason.message)",
            ])
    }
}

// MARK: - Requests that wait

extension ConnectionKeeper {
    private func failWaiting(_ error: RedisError) {
        waitingTimer?.cancel()
        waitingTimer = nil
        for request in waiting.takeAll() { request.fail(error) }
    }

    private func startWaitingTimer() {
        guard waitingTimer == nil, let deadline = waiting.earliestDeadline else { return }
        waitingTimer = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
            self?.failOverdue()
        }
    }

    private func failOverdue() {
        waitingTimer = nil
        let error = RedisError(.notConnected, "no connection within the command's time")
        for request in waiting.takeOverdue(now: eventLoop.now) { request.fail(error) }
        startWaitingTimer()
    }
}
