import CoreMetrics
import NIOCore

extension UpstreamPool {
    /// Records the state of the pool. It is called once in a while, since none of it is counted per request.
    ///
    /// - Parameter loop: the event loop of the process to which the pool belongs.
    func record(loop: String, now: NIODeadline) {
        for replica in replicas {
            let gauges = gauges(of: replica, loop)
            gauges[0].record(replica.busyCount)
            gauges[1].record(replica.openCount)
            gauges[2].record(replica.isHealthy(now: now) ? 1 : 0)
        }
        waitingGauge(loop).record(waitingCount)
    }

    /// Removes the metrics of a retired upstream.
    func removeMetrics(loop: String) {
        for gauge in replicas.flatMap({ gauges(of: $0, loop) }) + [waitingGauge(loop)] { gauge.destroy() }
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
