import CoreMetrics
import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Removes the users whose deletion is due, in one transaction for each, one replica at a time.
struct RemovalJob: Service {
    /// The pause between two rounds.
    static let interval: Duration = .seconds(10)
    /// The most users of one query.
    static let batchMax = 32
    /// The lateness in seconds above which the log reports an error.
    static let lateSeconds: Int64 = 86_400
    private static let leaseName = "removal"
    /// How many seconds the other replicas wait for one that stops responding.
    private static let leaseSeconds: Int64 = 30

    let store: any RemovalStore
    let messages: RemovalMessages
    let givenUp: GivenUpIdentities
    let engine: any StorageEngine
    /// Identifies this process among its replicas.
    let holder: String
    /// Unix time in seconds; `nil` while nothing may be removed.
    let now: @Sendable () -> Int64?
    let logger: Logger

    private var lease: Lease {
        Lease(name: Self.leaseName, holder: holder, lifetimeSeconds: Self.leaseSeconds)
    }

    func run() async throws { await repeatUntilShutdown(every: Self.interval) { await round() } }

    /// Removes all users whose deletion is due. After a fault, which is logged, the next round tries again.
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

    /// - Returns: the number of removed users, which is smaller than the number due if another replica has the lease.
    private func removeAll() async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            guard let now = now() else { return count }
            let batch = try await store.due(limit: Self.batchMax, now: now)
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

    /// Removes a user, or returns `nil` after a fault, so that the users after them are still removed.
    private func remove(_ due: DueUser) async -> RemovalOutcome? {
        do {
            guard let now = self.now() else { return .notOurTurn }
            let notes = due.user.deletion.map {
                givenUp.notes(due.identitiesAtProviders, givenUpAt: $0.requestedAt, now: now)
            }
            let outcome = try await store.remove(
                due, messages: try messages.about(due.user, merged: due.merged, now: now), notes: notes ?? [],
                lease: lease, now: now)
            if outcome == .removed { Counter(label: "deletions_total").increment() }
            return outcome
        } catch {
            logger.warning("deletion.failed", metadata: ["cause": "\(error)"])
            return nil
        }
    }

    /// Records by how many seconds the oldest removal is late.
    private func noteLateness() async throws {
        guard let now = self.now() else { return }
        let late = max(0, now - (try await store.firstDueAt() ?? now))
        Gauge(label: "deletion_oldest_due_seconds").record(late)
        if late > Self.lateSeconds { logger.error("deletion.late", metadata: ["seconds": .stringConvertible(late)]) }
    }
}
