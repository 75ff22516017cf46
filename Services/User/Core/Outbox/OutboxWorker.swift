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
            record(try await store.standing(lane))
            guard try await store.hasDue(lane, now: now()) else { return }
            let lease = Lease(name: lane.leaseName, holder: holder, lifetimeSeconds: OutboxLimits.leaseSeconds)
            let due = try await store.takeDue(
                lane, limit: OutboxLimits.batchMax, lease: lease, now: now())
            try await deliver(due)
        } catch {
            logger.warning("outbox.round_failed", metadata: ["cause": "\(error)"])
        }
    }
}

extension OutboxWorker {
    /// One after the other, in the order in which they were written; mails side by side.
    private func deliver(_ due: [OutboxItem]) async throws {
        guard lane == .mail else {
            for item in due where !Task.isCancelled { _ = try await courier.deliver(item) }
            return
        }
        try await withThrowingTaskGroup { group in
            for item in due { group.addTask { _ = try await courier.deliver(item) } }
            try await group.waitForAll()
        }
    }

    private func record(_ standing: OutboxStanding) {
        func gauge(_ name: String, _ value: Int64) {
            Gauge(label: name, dimensions: [("lane", lane.rawValue)]).record(value)
        }
        gauge("outbox_pending", standing.pending)
        gauge("outbox_oldest_seconds", standing.oldestAt.map { max(0, now() - $0) } ?? 0)
        gauge("outbox_dead", standing.dead)
    }
}

extension OutboxMessage.Lane {
    /// The first lane's is as old as the outbox, which had no other.
    fileprivate var leaseName: String {
        switch self {
        case .token: "outbox"
        case .otp: "outbox otp"
        case .mail: "outbox mail"
        }
    }
}
