import NIOCore

/// The parts that the connections of one event loop share: upstream connections, the census of clients, and the order of
/// work.
final class LoopPools {
    /// The interval in which connections are checked.
    private static let tendInterval: TimeAmount = .seconds(1)
    /// The interval in which the addresses of upstreams are compared.
    private static let lookInterval: TimeAmount = .milliseconds(250)

    private let eventLoop: any EventLoop
    /// The `loop` label of metrics.
    private let name: String
    private var pools: [ObjectIdentifier: UpstreamPool] = [:]
    /// The queue for requests and responses that end on this loop.
    let flushQueue: FlushQueue
    /// The census of this loop's client connections.
    let census: LoopCensus
    /// The queue for client connections that have had their turn.
    let turnQueue: TurnQueue
    /// Notices when the loop did not run for long.
    let stalls: StallWatch

    init(eventLoop: any EventLoop, name: String, budget: MemoryBudget) {
        self.eventLoop = eventLoop
        self.name = name
        flushQueue = FlushQueue(eventLoop: eventLoop)
        census = LoopCensus(budget: budget, eventLoop: eventLoop)
        turnQueue = TurnQueue(eventLoop: eventLoop)
        stalls = StallWatch { budget.loopDidStall(name, seconds: $0) }
        maintain()
        look()
    }

    /// Returns the pool of an upstream on this loop.
    func pool(of group: UpstreamGroup) -> UpstreamPool {
        let id = ObjectIdentifier(group)
        if let known = pools[id] { return known }
        let made = UpstreamPool(group: group, eventLoop: eventLoop, flushQueue: flushQueue)
        pools[id] = made
        return made
    }

    /// Removes the pools of upstreams that the policy no longer has, before the metrics of others with the same names are recorded.
    private func removeRetired() {
        for (id, pool) in pools where pool.hasRetired() {
            pool.removeMetrics(loop: name)
            pools[id] = nil
        }
    }

    /// Compares the addresses of each upstream in each interval. It ends with the event loop.
    private func look() {
        eventLoop.assumeIsolated().scheduleTask(in: Self.lookInterval) { [weak self] in
            guard let self else { return }
            let now = NIODeadline.now()
            for pool in pools.values { pool.look(now: now) }
            look()
        }
    }

    /// Checks the pools in each interval. It ends with the event loop.
    private func maintain() {
        eventLoop.assumeIsolated().scheduleTask(in: Self.tendInterval) { [weak self] in
            guard let self else { return }
            stalls.note()
            let now = NIODeadline.now()
            census.look(now: now)
            removeRetired()
            for pool in pools.values {
                pool.maintain(now: now)
                pool.record(loop: name, now: now)
            }
            maintain()
        }
    }
}
