import CoreMetrics
import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Moves audit records from Redis into the database, one replica at a time, each record once.
///
/// A record is removed from the stream only after the transaction that contains it is durable, and the review that it opens too. If the
/// process exits in between, the record's id prevents that it is written, or opens a review, a second time.
struct AuditMover: Service {
    /// The most records of one transaction, which takes some milliseconds in which sign-ins wait.
    static let batchMax = 256
    /// The pause between two reads of the stream once it is empty.
    static let pollInterval: Duration = .milliseconds(500)
    /// How many seconds the other replicas wait for one that stops responding.
    static let leaseSeconds: Int64 = 10

    /// The name of this stream's lease.
    var leaseName = "audit_mover"
    /// Opens reviews after long lockouts; `nil` if there are none.
    var review: ReviewLockout?
    let stream: any AuditStream
    let store: any AuditStore
    /// Identifies this process among its replicas.
    let holder: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    let logger: Logger
    private let lines = LogLimit()

    private var lease: Lease {
        Lease(name: leaseName, holder: holder, lifetimeSeconds: Self.leaseSeconds)
    }

    func run() async throws {
        await repeatUntilShutdown(every: Self.pollInterval) {
            while await round() == Self.batchMax {}
        }
    }

    /// Moves one batch. After a fault, which is logged, the next round tries again.
    /// - Returns: the number of entries that were moved.
    func round() async -> Int {
        do {
            let entries = try await stream.oldest(limit: Self.batchMax)
            guard !entries.isEmpty, try await store.add(entries, lease: lease, now: now()) else { return 0 }
            for entry in entries { try await review?(entry) }
            try await stream.remove(entries.map(\.id))
            Counter(label: "audit_moved_total").increment(by: Int64(entries.count))
            return entries.count
        } catch {
            if lines.allows("\(error)") { logger.warning("audit.move_failed", metadata: ["cause": "\(error)"]) }
            return 0
        }
    }
}
