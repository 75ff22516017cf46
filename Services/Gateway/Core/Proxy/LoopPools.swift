internal import NIOCore

/// All upstream connections of one event loop.
final class LoopPools {
    /// How often idle connections are looked through.
    private static let tendInterval: TimeAmount = .seconds(1)

    private let eventLoop: any EventLoop
    /// The `loop` label of metrics.
    private let name: String
    private var pools: [ObjectIdentifier: UpstreamPool] = [:]
    /// For requests and answers that end on this loop.
    let flushQueue: FlushQueue

    init(eventLoop: any EventLoop, name: String) {
        self.eventLoop = eventLoop
        self.name = name
        flushQueue = FlushQueue(eventLoop: eventLoop)
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
            for pool in pools.values {
                pool.tend(now: now)
                pool.record(loop: name, now: now)
            }
            tend()
        }
    }
}
