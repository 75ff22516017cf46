import CoreMetrics
import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Removes the users whose day has come, one transaction for each, one replica at a time.
struct RemovalJob: Service {
    /// Pause between two looks.
    static let interval: Duration = .seconds(10)
    /// Users of one look.
    static let batchMax = 32
    /// Lateness from which on the log calls for somebody.
    static let lateSeconds: Int64 = 86_400
    private static let leaseName = "removal"
    /// How long a replica that falls silent keeps the others waiting.
    private static let leaseSeconds: Int64 = 30

    let store: any RemovalStore
    let messages: RemovalMessages
    let engine: any StorageEngine
    /// This process, told apart from its replicas.
    let holder: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    private var lease: Lease {
        Lease(name: Self.leaseName, holder: holder, lifetimeSeconds: Self.leaseSeconds)
    }

    func run() async throws { await repeatUntilShutdown(every: Self.interval) { await round() } }

    /// Removes all who are due now; a fault is logged and left to the next round.
    func round() async {
        do {
            try await noteLateness()
            let count = try await removeAll()
            guard count > 0 else { return }
            engine.wipeRemoved()
            logger.info("deletion.done", metadata: ["users": .stringConvertible(count)])
            try await noteLateness()
        } catch {
            logger.warning("deletion.failed", metadata: ["cause": "\(error)"])
        }
    }

    /// - Returns: how many users went; fewer than are due when a replica is at it.
    private func removeAll() async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            let batch = try await store.due(limit: Self.batchMax, now: now())
            var failures = 0
            for user in batch {
                switch await remove(user) {
                case .removed: count += 1
                case .notDue: break
                case .notOurTurn: return count
                case nil: failures += 1
                }
            }
            guard batch.count == Self.batchMax, failures == 0 else { break }
        }
        return count
    }

    /// Nil when it failed: one whom a fault keeps here holds up nobody behind him.
    private func remove(_ due: DueUser) async -> RemovalOutcome? {
        do {
            let now = self.now()
            let outcome = try await store.remove(
                due, messages: try messages.about(due.user, now: now), lease: lease, now: now)
            if outcome == .removed { Counter(label: "deletions_total").increment() }
            return outcome
        } catch {
            logger.warning("deletion.failed", metadata: ["cause": "\(error)"])
            return nil
        }
    }

    /// Tells by how much the oldest removal is late.
    private func noteLateness() async throws {
        let now = self.now()
        let late = max(0, now - (try await store.firstDueAt() ?? now))
        Gauge(label: "deletion_oldest_due_seconds").record(late)
        if late > Self.lateSeconds { logger.error("deletion.late", metadata: ["seconds": .stringConvertible(late)]) }
    }
}
