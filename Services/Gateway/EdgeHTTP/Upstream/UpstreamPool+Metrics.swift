import CoreMetrics
import NIOCore

extension UpstreamPool {
    /// Notes what the pool looks like, once in a while: nothing of it is counted per request.
    ///
    /// - Parameter loop: which of the process's event loops the pool belongs to.
    func record(loop: String, now: NIODeadline) {
        for replica in replicas {
            let dimensions = [("service", group.name), ("endpoint", "\(replica.target.address)"), ("loop", loop)]
            Gauge(label: "upstream_requests_in_flight", dimensions: dimensions).record(replica.busyCount)
            Gauge(label: "upstream_connections", dimensions: dimensions).record(replica.openCount)
            Gauge(label: "upstream_endpoint_up", dimensions: dimensions).record(replica.isHealthy(now: now) ? 1 : 0)
        }
        Gauge(label: "upstream_requests_waiting", dimensions: [("service", group.name), ("loop", loop)])
            .record(waitingCount)
    }
}
