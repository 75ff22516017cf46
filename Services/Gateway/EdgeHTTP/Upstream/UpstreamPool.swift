import DequeModule
import NIOCore
import NIOPosix

/// The connections of one event loop to one upstream. They need no locks, since only that loop accesses them.
final class UpstreamPool {
    private struct Waiter {
        let taker: any ConnectionTaker
        let deadline: NIODeadline
    }

    let group: UpstreamGroup
    let flushQueue: FlushQueue
    let eventLoop: any EventLoop
    private(set) var replicas: [Replica] = []
    /// The replicas that have metrics.
    var recorded: [Replica] = []
    private var knownVersion = 0
    private var waiters: Deque<Waiter> = []
    /// The number of requests that wait for a connection.
    var waitingCount: Int { waiters.count }
    /// The number of requests that may stay open for hours.
    var longCount = 0
    private var (isWatchingWaiters, isWatchingLookUp) = (false, false)
    /// How often the pool checks whether the first look-up has ended.
    private static let lookUpInterval: TimeAmount = .milliseconds(5)
    /// The start of the search, which is pseudo-random (Knuth's MMIX generator). If equal replicas took turns, they would fall in
    /// step with clients that repeat a sequence of requests, and one replica would get all of one kind.
    private var turn: UInt64 = 0

    init(group: UpstreamGroup, eventLoop: any EventLoop, flushQueue: FlushQueue) {
        self.group = group
        self.flushQueue = flushQueue
        self.eventLoop = eventLoop
    }

    /// Finds a connection for `taker`: an idle one, a new one, or the next that becomes free.
    ///
    /// Addresses that refuse are skipped, since nothing has been sent to them.
    /// - Parameter fresh: whether only a new connection may be used.
    func acquire(for taker: any ConnectionTaker, fresh: Bool = false) {
        refresh(now: .now())
        acquire(for: taker, fresh: fresh, refusedBy: [])
    }

    /// Looks names up if it is due, and closes connections that have been idle for too long.
    func maintain(now: NIODeadline) {
        refresh(now: now)
        for replica in replicas { replica.closeOld(now: now) }
    }

    /// Returns a connection to the pool.
    func release(_ connection: UpstreamConnection, canBeReused: Bool) {
        let isKnown = replicas.contains { $0 === connection.replica }
        guard canBeReused, isKnown else {
            connection.replica.connectionDidEnd()
            if connection.isLast { connection.closeWithoutRest() } else { connection.close() }
            return serveWaiters()
        }
        guard connection.replica.keepsConnections(now: .now()) else {
            connection.replica.connectionDidEnd()
            connection.closeWithoutRest()
            return serveWaiters()
        }
        hand(over: connection)
    }

    /// Removes an idle connection that the other side has closed.
    func forget(_ connection: UpstreamConnection) { connection.replica.forget(connection) }

    private func refresh(now: NIODeadline) {
        group.lookUpIfDue(now: now)
        let version = group.version
        guard version != knownVersion else { return }
        knownVersion = version
        let targets = group.targets
        for replica in replicas where !targets.contains(replica.target) { replica.leave(now: now) }
        replicas = targets.map { target in
            replicas.first { $0.target == target }
                ?? Replica(target: target, limits: group.limits, records: group.records(of: target.address))
        }
        // Each waiter tries once; one that finds no connection keeps waiting.
        for _ in 0..<waiters.count { serveWaiters() }
    }

    private func acquire(for taker: any ConnectionTaker, fresh: Bool, refusedBy refusals: [Replica]) {
        let now = NIODeadline.now()
        guard let replica = choose(besides: refusals, now: now) else {
            let isRefused = !refusals.isEmpty || (replicas.isEmpty && !group.isUnknown)
            return isRefused && !isFull(besides: refusals) ? taker.getNone(.unreachable) : wait(taker, now: now)
        }
        if !fresh, let connection = replica.takeIdle(now: now) { return taker.take(connection) }
        guard replica.hasRoom else { return wait(taker, now: now) }
        connect(to: replica, for: taker, refusedBy: refusals)
    }

    /// Returns the least busy of the healthy replicas that have room. If none is healthy, it returns any, since waiting would not
    /// help.
    private func choose(besides refusals: [Replica], now: NIODeadline) -> Replica? {
        turn = turn &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        for _ in replicas.indices {
            guard let replica = leastBusy(besides: refusals, { $0.isHealthy(now: now) }) else { break }
            // A request of another loop may have begun to try a skipped address just now.
            if replica.claim(now: now) { return replica }
        }
        return leastBusy(besides: refusals) { _ in
            !replicas.contains { replica in
                replica.isHealthy(now: now) && !refusals.contains { $0 === replica }
            }
        }
    }

    private func leastBusy(besides refusals: [Replica], _ isEligible: (Replica) -> Bool) -> Replica? {
        guard !replicas.isEmpty else { return nil }
        var best: Replica?
        let start = Int(truncatingIfNeeded: turn >> 33) % replicas.count
        for offset in replicas.indices {
            let replica = replicas[(start + offset) % replicas.count]
            guard replica.hasRoom, !refusals.contains(where: { $0 === replica }), isEligible(replica) else { continue }
            // An idle connection gives a replica no preference among equal ones. Otherwise, with little traffic, the others would
            // never be used.
            if let chosen = best, chosen.busyCount <= replica.busyCount { continue }
            best = replica
        }
        return best
    }

    /// Whether there are replicas left to try that only lack room.
    private func isFull(besides refusals: [Replica]) -> Bool {
        replicas.contains { replica in !replica.hasRoom && !refusals.contains { $0 === replica } }
    }

    // MARK: New connections

    func connect(to replica: Replica, for taker: any ConnectionTaker, refusedBy refusals: [Replica]) {
        replica.connectDidBegin()
        let connection = NIOLoopBound(
            UpstreamConnection(pool: self, replica: replica, limits: group.limits), eventLoop: eventLoop)
        let handshake = UpstreamHandshake.make(with: replica.target.endpoint, of: group, on: eventLoop)
        let connected = group.bootstrap(to: replica.target.address, on: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try handshake?.value.addHandlers(to: channel.pipeline.syncOperations)
                    try channel.pipeline.syncOperations.addHandler(connection.value)
                }
            }
            .connect(to: replica.target.address)
        guard let handshake else { return deliver(connection.value, to: taker, once: connected, refusedBy: refusals) }
        deliver(connection.value, to: taker, once: handshake.value.end(after: connected), refusedBy: refusals)
    }

    private func deliver<Value>(
        _ connection: UpstreamConnection, to taker: any ConnectionTaker, once end: EventLoopFuture<Value>,
        refusedBy refusals: [Replica]
    ) {
        end.assumeIsolated().whenComplete { result in
            switch result {
            case .success: self.didConnect(connection, for: taker)
            case .failure(let error):
                let replica = connection.replica
                self.group.failures.note(error, at: replica.target, now: .now())
                // This runs later, because a socket file refuses within the call, and waiting requests would be served in one deep
                // stack.
                self.eventLoop.assumeIsolated().execute {
                    self.didNotConnect(to: replica, for: taker, refusedBy: refusals + [replica])
                }
            }
        }
    }

    private func didConnect(_ connection: UpstreamConnection, for taker: any ConnectionTaker) {
        connection.replica.connectDidSucceed()
        guard !taker.wantsConnection else { return taker.take(connection) }
        connection.replica.cancelTrial()
        hand(over: connection)
    }

    private func didNotConnect(to replica: Replica, for taker: any ConnectionTaker, refusedBy refusals: [Replica]) {
        let now = NIODeadline.now()
        replica.connectDidFail(now: now)
        connectDidFail(to: replica, now: now)
        if taker.wantsConnection { acquire(for: taker, fresh: false, refusedBy: refusals) }
        serveWaiters()
    }

    // MARK: Waiting

    private func wait(_ taker: any ConnectionTaker, now: NIODeadline) {
        guard waiters.count < group.limits.waitingMax else { return taker.getNone(.overloaded) }
        waiters.append(Waiter(taker: taker, deadline: now + .milliseconds(group.limits.waitMilliseconds)))
        watchWaiters()
        watchLookUp()
    }

    /// Serves the requests that wait for the first look-up of names as soon as it has ended.
    private func watchLookUp() {
        guard !isWatchingLookUp, group.isUnknown else { return }
        isWatchingLookUp = true
        eventLoop.assumeIsolated().scheduleTask(in: Self.lookUpInterval) {
            self.isWatchingLookUp = false
            self.refresh(now: .now())
            self.watchLookUp()
        }
    }

    /// Passes a free connection to the request that has waited longest, or keeps it.
    private func hand(over connection: UpstreamConnection) {
        guard let taker = nextWaiter() else { return connection.replica.keep(connection) }
        if !connection.isReused || (connection.replica.isTrusted(now: .now()) && connection.isQuiet) {
            return taker.take(connection)
        }
        connection.replica.connectionDidEnd()
        connection.close()
        acquire(for: taker, fresh: false, refusedBy: [])
    }

    /// Lets the request that has waited longest try again, since the situation has improved.
    private func serveWaiters() {
        guard let taker = nextWaiter() else { return }
        acquire(for: taker, fresh: false, refusedBy: [])
    }

    private func nextWaiter() -> (any ConnectionTaker)? {
        while let waiter = waiters.popFirst() {
            if waiter.taker.wantsConnection { return waiter.taker }
        }
        return nil
    }

    private func watchWaiters() {
        guard !isWatchingWaiters, let first = waiters.first else { return }
        isWatchingWaiters = true
        eventLoop.assumeIsolated().scheduleTask(deadline: first.deadline) {
            self.isWatchingWaiters = false
            self.dropOverdue(now: .now())
            self.watchWaiters()
        }
    }

    private func dropOverdue(now: NIODeadline) {
        while let first = waiters.first, first.deadline <= now {
            waiters.removeFirst()
            guard first.taker.wantsConnection else { continue }
            first.taker.getNone(replicas.isEmpty ? .unreachable : .overloaded)
        }
    }
}
