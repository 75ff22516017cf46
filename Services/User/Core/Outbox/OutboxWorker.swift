import CoreMetrics
import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Repeats what the receiver of a lane has not confirmed, one replica at a time, until it has.
struct OutboxWorker: Service {
    let lane: OutboxMessage.Lane
    let store: any OutboxStore
    let courier: OutboxCourier
    /// This process, told apart from its replicas.
    let holder: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    func run() async throws { await repeatUntilShutdown(every: OutboxLimits.pollInterval) { await round() } }

    /// Works off what is due now; a fault of the store is logged and left to the next round.
    func round() async {
        do {
            Gauge(label: "outbox_pending", dimensions: [("lane", lane.rawValue)])
                .record(try await store.pendingCount(lane))
            guard try await store.hasDue(lane, now: now()) else { return }
            let lease = Lease(name: lane.leaseName, holder: holder, lifetimeSeconds: OutboxLimits.leaseSeconds)
            let due = try await store.takeDue(
                lane, limit: OutboxLimits.batchMax, lease: lease, now: now())
            for item in due {
                guard !Task.isCancelled else { return }
                _ = try await courier.deliver(item)
            }
        } catch {
            logger.warning("outbox.round_failed", metadata: ["cause": "\(error)"])
        }
    }
}

extension OutboxMessage.Lane {
    /// The first lane's is as old as the outbox, which had no other.
    fileprivate var leaseName: String {
        switch self {
        case .token: "outbox"
        case .otp: "outbox otp"
        }
    }
}
