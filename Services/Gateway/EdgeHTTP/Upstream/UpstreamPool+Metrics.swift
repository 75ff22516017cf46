import CoreMetrics
import NIOCore

extension UpstreamPool {
    /// Records the state of the pool. It is called once in a while, since none of it is counted per request.
    ///
    /// - Parameter loop: the event loop of the process to which the pool belongs.
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
