import NIOCore

/// What the connections of one event loop share: its upstream connections, the count of what clients hold, and the order of
/// their work.
final class LoopPools {
    /// How often connections are looked through.
    private static let tendInterval: TimeAmount = .seconds(1)

    private let eventLoop: any EventLoop
    /// The `loop` label of metrics.
    private let name: String
    private var pools: [ObjectIdentifier: UpstreamPool] = [:]
    /// For requests and answers that end on this loop.
    let flushQueue: FlushQueue
    /// What the clients' connections of this loop hold.
    let holdings: LoopHoldings
    /// For clients' connections that have had their turn.
    let turnQueue: TurnQueue
    /// Of clients that are to speak TLS.
    let handshakes = HandshakesUnderWay()

    init(eventLoop: any EventLoop, name: String, budget: MemoryBudget) {
        self.eventLoop = eventLoop
        self.name = name
        flushQueue = FlushQueue(eventLoop: eventLoop)
        holdings = LoopHoldings(budget: budget, eventLoop: eventLoop)
        turnQueue = TurnQueue(eventLoop: eventLoop)
        tend()
    }

    /// The pool of an upstream on this loop.
    func pool(of group: UpstreamGroup) -> UpstreamPool {
        let id = ObjectIdentifier(group)
        if let known = pools[id] { return known }
        let made = UpstreamPool(group: group, eventLoop: eventLoop, flushQueue: flushQueue)
        pools[id] = made
        return made
    }

    /// Ends with the event loop.
    private func tend() {
        eventLoop.assumeIsolated().scheduleTask(in: Self.tendInterval) { [weak self] in
            guard let self else { return }
            let now = NIODeadline.now()
            holdings.look(now: now)
            for pool in pools.values {
                pool.tend(now: now)
                pool.record(loop: name, now: now)
            }
            tend()
        }
    }
}
