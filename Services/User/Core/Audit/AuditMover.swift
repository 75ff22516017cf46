internal import CoreMetrics
internal import Logging
internal import SQLiteStore
internal import ServiceLifecycle

/// Moves otp-service's audit records from Redis into `users.sqlite`, one replica at a time, each record once.
///
/// A record is removed from the stream only after the transaction that holds it is durable; if the process ends in
/// between, the record's id keeps it from being written a second time.
struct AuditMover: Service {
    private static let leaseName = "audit_mover"
    /// Records of one transaction: some milliseconds, in which sign-ins wait.
    static let batchMax = 256
    /// Pause between two looks at the stream once it is empty.
    static let pollInterval: Duration = .milliseconds(500)
    /// How long a replica that falls silent keeps the others waiting.
    static let leaseSeconds: Int64 = 10

    let stream: any AuditStream
    let database: SQLiteDatabase
    /// This process, told apart from its replicas.
    let holder: String
    let clock: WallClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let moved = await round()
                guard moved < Self.batchMax else { continue }
                // Cancellation ends the sleep; the loop's condition sees it.
                do { try await Task.sleep(for: Self.pollInterval) } catch { return }
            }
        }
    }

    /// Moves one batch; a fault is logged and left to the next round.
    /// - Returns: how many entries have left the stream.
    func round() async -> Int {
        do {
            let entries = try await stream.oldest(limit: Self.batchMax)
            guard !entries.isEmpty, try await write(entries) else { return 0 }
            try await stream.remove(entries.map(\.id))
            Counter(label: "audit_moved_total").increment(by: Int64(entries.count))
            return entries.count
        } catch {
            logger.warning("audit.move_failed", metadata: ["cause": "\(error)"])
            return 0
        }
    }

    /// - Returns: false when it is another replica's turn; nothing was written.
    private func write(_ entries: [AuditStreamEntry]) async throws -> Bool {
        let lease = Lease(name: Self.leaseName, holder: holder, lifetimeSeconds: Self.leaseSeconds)
        let now = clock.seconds
        return try await database.write { database in
            guard try lease.take(now: now, in: database) else { return false }
            let moved = MovedAuditRows(database: database)
            for entry in entries where try moved.note(entry.id, now: now) {
                try AuditRows(database: database).append(entry.entry, now: entry.time)
            }
            try moved.forgetOld(now: now, limit: Self.batchMax * 2)
            return true
        }
    }
}
