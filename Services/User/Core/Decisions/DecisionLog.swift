import CoreMetrics
import InternalAPI
import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Writes security decisions to a list outside the database, one replica at a time.
///
/// A restore of an older backup applies the list. A decision is on the list within about a second.
struct DecisionLog: Service {
    static let interval: Duration = .seconds(1)
    private static let leaseName = "decision_log"
    /// How many seconds the other replicas wait for one that stops responding.
    private static let leaseSeconds: Int64 = 10

    let queries: any UserQueries
    let leases: any LeaseStore
    let file: DecisionFile
    let userIDPrefix: String
    /// Identifies this process among its replicas.
    let holder: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    func run() async throws {
        await repeatUntilShutdown(every: Self.interval) {
            while await round() == DecisionPage.decisionsMax {}
        }
    }

    /// Appends one page of decisions. After a fault, which is logged, the next round tries again.
    ///
    /// - Returns: the number of decisions of the page.
    func round() async -> Int {
        do {
            let decisions = try await queries.decisions(
                after: try file.lastSequence(), limit: DecisionPage.decisionsMax)
            guard !decisions.isEmpty else { return 0 }
            let lease = Lease(name: Self.leaseName, holder: holder, lifetimeSeconds: Self.leaseSeconds)
            guard try await leases.take(lease, now: now()) else { return 0 }
            let lines = decisions.map { SecurityDecision($0, userIDPrefix: userIDPrefix) }
            return try file.append(lines) ? decisions.count : 0
        } catch {
            Counter(label: "decision_log_failures_total").increment()
            logger.error("decisions.write_failed", metadata: ["cause": "\(error)"])
            return 0
        }
    }
}
