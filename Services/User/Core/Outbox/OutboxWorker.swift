import CoreMetrics
import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Delivers the rows of a lane until the receiver has confirmed them, one replica at a time.
struct OutboxWorker: Service {
    let lane: OutboxMessage.Lane
    let store: any OutboxStore
    let courier: OutboxCourier
    /// Identifies this process among its replicas.
    let holder: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger
    private let lines = LogLimit()

    func run() async throws { await repeatUntilShutdown(every: OutboxLimits.pollInterval) { await round() } }

    /// Delivers the rows that are due. After a fault of the storage, which is logged, the next round tries again.
    func round() async {
        do {
            try await look()
            guard try await store.hasDue(lane, now: now()) else { return }
            if lane.isProviders { return try await drain() }
            for item in try await takeDue(OutboxLimits.batchMax) where !Task.isCancelled {
                _ = try await courier.deliver(item)
            }
        } catch {
            if lines.allows("\(error)") { logger.warning("outbox.round_failed", metadata: ["cause": "\(error)"]) }
        }
    }
}

extension OutboxWorker {
    private func takeDue(_ limit: Int) async throws -> [OutboxItem] {
        let lease = Lease(name: lane.leaseName, holder: holder, lifetimeSeconds: OutboxLimits.leaseSeconds)
        return try await store.takeDue(lane, limit: limit, lease: lease, now: now())
    }

    /// Sends messages to a provider until none is due, several at a time. The next ones are chosen as places become free, so that a
    /// message of higher priority never waits for a batch.
    private func drain() async throws {
        var places = OutboxLimits.sentAtOnce.lowerBound
        var sending: Set<OutboxItem.ID> = []
        var lookedAt = ContinuousClock.now
        try await withThrowingTaskGroup(of: (OutboxItem.ID, isSent: Bool).self) { group in
            while !Task.isCancelled {
                if sending.count <= places / 2 {
                    let due = try await takeDue(places + sending.count).filter { !sending.contains($0.id) }
                    for item in due.prefix(places - sending.count) {
                        sending.insert(item.id)
                        group.addTask { (item.id, isSent: try await courier.deliver(item)) }
                    }
                }
                guard let (id, isSent) = try await group.next() else { break }
                sending.remove(id)
                places = OutboxLimits.places(after: places, isSent: isSent)
                // The round continues while messages are due, so the standing is also recorded in between.
                guard ContinuousClock.now - lookedAt >= OutboxLimits.pollInterval else { continue }
                try await look()
                lookedAt = .now
            }
        }
        try await look()
    }

    /// Records the standing of the lane, and logs an error if mails are late.
    private func look() async throws {
        let standing = try await store.standing(lane)
        record(standing)
        guard lane == .mail, age(standing) > OutboxLimits.mailLateSeconds else { return }
        logger.error(
            "outbox.late",
            metadata: [
                "seconds": .stringConvertible(age(standing)), "outbox.pending": .stringConvertible(standing.pending),
            ])
    }

    private func age(_ standing: OutboxStanding) -> Int64 { standing.oldestAt.map { max(0, now() - $0) } ?? 0 }

    private func record(_ standing: OutboxStanding) {
        func gauge(_ name: String, _ value: Int64) {
            Gauge(label: name, dimensions: [("lane", lane.rawValue)]).record(value)
        }
        gauge("outbox_pending", standing.pending)
        gauge("outbox_oldest_seconds", age(standing))
        gauge("outbox_dead", standing.dead)
    }
}

extension OutboxMessage.Lane {
    /// The name of the lane's lease. `token` is the oldest lane, so its lease has the name of the outbox.
    fileprivate var leaseName: String {
        switch self {
        case .token: "outbox"
        case .otp: "outbox otp"
        case .mail: "outbox mail"
        case .apple: "outbox apple"
        }
    }
}
