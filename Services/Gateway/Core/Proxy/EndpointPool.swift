internal import DequeModule
internal import NIOCore
internal import NIOPosix

/// The connections of one event loop to one endpoint: no locks, since only that loop touches them.
final class EndpointPool {
    typealias Completion = (Result<UpstreamConnection, UpstreamFailure>) -> Void

    private struct Waiter {
        let id: UInt64
        let complete: Completion
    }

    let endpoint: UpstreamEndpoint
    private let limits: UpstreamLimits
    private let eventLoop: any EventLoop
    /// The one used last is taken first, so that those that are not needed grow old.
    private var idle: [UpstreamConnection] = []
    private var openCount = 0
    private var waiters: Deque<Waiter> = []
    private var nextWaiterID: UInt64 = 0
    private var ejectedUntil = NIODeadline.now()
    private var consecutiveFailures = 0

    init(endpoint: UpstreamEndpoint, limits: UpstreamLimits, eventLoop: any EventLoop) {
        self.endpoint = endpoint
        self.limits = limits
        self.eventLoop = eventLoop
    }

    /// Requests that are under way or wait.
    var load: Int { openCount - idle.count + waiters.count }
    /// Whether it refused connections lately.
    var isEjected: Bool { consecutiveFailures > 0 && NIODeadline.now() < ejectedUntil }

    /// Gives a connection: an idle one, a new one, or the next that comes free.
    ///
    /// - Parameter fresh: only a new one will do.
    func acquire(fresh: Bool, _ complete: @escaping Completion) {
        if !fresh, let connection = takeIdle() { return complete(.success(connection)) }
        if openCount < limits.connectionsMax { return connect(complete) }
        wait(complete)
    }

    /// Takes a connection back, with true if it can carry another exchange.
    func release(_ connection: UpstreamConnection, canBeReused: Bool) {
        guard canBeReused else {
            openCount -= 1
            if openCount < limits.connectionsMax, let waiter = waiters.popFirst() { connect(waiter.complete) }
            return
        }
        if let waiter = waiters.popFirst() { return waiter.complete(.success(connection)) }
        if idle.count < limits.idleConnectionsMax { idle.append(connection) } else { discard(connection) }
    }

    /// Closes connections that have been idle for too long.
    func closeOld() {
        let oldest = NIODeadline.now() - .seconds(limits.idleSeconds)
        let old = idle.prefix { $0.idleSince < oldest }
        idle.removeFirst(old.count)
        for connection in old { discard(connection) }
    }

    private func takeIdle() -> UpstreamConnection? {
        let oldest = NIODeadline.now() - .seconds(limits.idleSeconds)
        while let connection = idle.popLast() {
            if connection.isActive, connection.idleSince >= oldest { return connection }
            discard(connection)
        }
        return nil
    }

    private func discard(_ connection: UpstreamConnection) {
        openCount -= 1
        connection.cancel()
    }

    private func wait(_ complete: @escaping Completion) {
        guard waiters.count < limits.waitingMax else { return complete(.failure(.overloaded)) }
        nextWaiterID += 1
        let id = nextWaiterID
        waiters.append(Waiter(id: id, complete: complete))
        _ = eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(limits.waitMilliseconds)) {
            guard let position = self.waiters.firstIndex(where: { $0.id == id }) else { return }
            self.waiters.remove(at: position).complete(.failure(.overloaded))
        }
    }

    private func connect(_ complete: @escaping Completion) {
        openCount += 1
        let connection = NIOLoopBound(UpstreamConnection(endpoint: endpoint, limits: limits), eventLoop: eventLoop)
        ClientBootstrap(group: eventLoop)
            .connectTimeout(.milliseconds(limits.connectMilliseconds))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(connection.value)
                }
            }
            .connect(host: endpoint.host, port: endpoint.port)
            .assumeIsolated().whenComplete { result in
                switch result {
                case .success:
                    self.consecutiveFailures = 0
                    complete(.success(connection.value))
                case .failure:
                    self.openCount -= 1
                    self.eject()
                    complete(.failure(.unreachable))
                }
            }
    }

    private func eject() {
        let exponent = min(consecutiveFailures, 10)
        consecutiveFailures += 1
        let pause = min(limits.ejectionMilliseconds << exponent, limits.ejectionMillisecondsMax)
        ejectedUntil = .now() + .milliseconds(pause)
    }
}
