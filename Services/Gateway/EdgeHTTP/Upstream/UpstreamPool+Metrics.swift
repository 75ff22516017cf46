import CoreMetrics
import NIOCore

extension UpstreamPool {
    /// Records the state of the pool. It is called once in a while, since none of it is counted per request.
    ///
    /// - Parameter loop: the event loop of the process to which the pool belongs.
    func record(loop: String, now: NIODeadline) {
        // Names may have ever new addresses.
        for gone in recorded where !replicas.contains(where: { $0.target == gone.target }) {
            for gauge in gauges(of: gone, loop) { gauge.destroy() }
        }
        recorded = replicas
        for replica in replicas {
            let gauges = gauges(of: replica, loop)
            gauges[0].record(replica.busyCount)
            gauges[1].record(replica.openCount)
            gauges[2].record(replica.isHealthy(now: now) && !replica.health.isSkipped ? 1 : 0)
        }
        waitingGauge(loop).record(waitingCount)
    }

    /// Removes the metrics of a retired upstream.
    func removeMetrics(loop: String) {
        for gauge in recorded.flatMap({ gauges(of: $0, loop) }) + [waitingGauge(loop)] { gauge.destroy() }
    }

    private func gauges(of replica: Replica, _ loop: String) -> [Gauge] {
        let dimensions = [("service", group.name), ("endpoint", "\(replica.target.address)"), ("loop", loop)]
        return ["upstream_requests_in_flight", "upstream_connections", "upstream_endpoint_up"].map {
            Gauge(label: $0, dimensions: dimensions)
        }
    }

    private func waitingGauge(_ loop: String) -> Gauge {
        Gauge(label: "upstream_requests_waiting", dimensions: [("service", group.name), ("loop", loop)])
    }
}
