internal import NIOCore

/// All upstream connections of one event loop.
final class LoopPools {
    private let eventLoop: any EventLoop
    private var pools: [String: [EndpointPool]] = [:]

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        closeOldConnections()
    }

    private func closeOldConnections() {
        eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
            for pool in self.pools.values.joined() { pool.closeOld() }
            self.closeOldConnections()
        }
    }

    /// Gives a connection to one of the group's endpoints: the least loaded that is not ejected; those that refuse are
    /// passed over, since nothing has been sent to them.
    func acquire(
        _ group: UpstreamGroup, fresh: Bool, _ complete: @escaping (Result<Lease, UpstreamFailure>) -> Void
    ) {
        let all = pools(of: group)
        let healthy = all.filter { !$0.isEjected }
        // When all are ejected, waiting would help nobody: ask them again.
        let candidates = (healthy.isEmpty ? all : healthy).shuffled().sorted { $0.load < $1.load }
        attempt(candidates[...], fresh: fresh, complete)
    }

    /// A connection on loan.
    struct Lease {
        let connection: UpstreamConnection
        let pool: EndpointPool

        func release(canBeReused: Bool) { pool.release(connection, canBeReused: canBeReused) }
    }

    private func attempt(
        _ candidates: ArraySlice<EndpointPool>, fresh: Bool,
        _ complete: @escaping (Result<Lease, UpstreamFailure>) -> Void
    ) {
        guard let pool = candidates.first else { return complete(.failure(.unreachable)) }
        pool.acquire(fresh: fresh) { result in
            switch result {
            case .success(let connection): complete(.success(Lease(connection: connection, pool: pool)))
            case .failure(.unreachable): self.attempt(candidates.dropFirst(), fresh: fresh, complete)
            case .failure(let failure): complete(.failure(failure))
            }
        }
    }

    private func pools(of group: UpstreamGroup) -> [EndpointPool] {
        if let known = pools[group.name] { return known }
        let made = group.endpoints.map { EndpointPool(endpoint: $0, limits: group.limits, eventLoop: eventLoop) }
        pools[group.name] = made
        return made
    }
}
