import CoreMetrics
import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Moves audit records from Redis into the database, one replica at a time, each record once.
///
/// A record is removed from the stream only after the transaction that holds it is durable; if the process ends in
/// between, the record's id keeps it from being written a second time.
struct AuditMover: Service {
    /// Records of one transaction: some milliseconds, in which sign-ins wait.
    static let batchMax = 256
    /// Pause between two looks at the stream once it is empty.
    static let pollInterval: Duration = .milliseconds(500)
    /// How long a replica that falls silent keeps the others waiting.
    static let leaseSeconds: Int64 = 10

    /// The name of this stream's lease.
    var leaseName = "audit_mover"
    let stream: any AuditStream
    let store: any AuditStore
    /// This process, told apart from its replicas.
    let holder: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger

    private var lease: Lease {
        Lease(name: leaseName, holder: holder, lifetimeSeconds: Self.leaseSeconds)
    }

    func run() async throws {
        await repeatUntilShutdown(every: Self.pollInterval) {
            while await round() == Self.batchMax {}
        }
    }

    /// Moves one batch; a fault is logged and left to the next round.
    /// - Returns: how many entries have left the stream.
    func round() async -> Int {
        do {
            let entries = try await stream.oldest(limit: Self.batchMax)
            guard !entries.isEmpty, try await store.add(entries, lease: lease, now: now()) else { return 0 }
            try await stream.remove(entries.map(\.id))
            Counter(label: "audit_moved_total").increment(by: Int64(entries.count))
            return entries.count
        } catch {
            logger.warning("audit.move_failed", metadata: ["cause": "\(error)"])
            return 0
        }
    }
}
