import CoreMetrics
package import Logging
import ServiceLifecycle
import Storage

/// Removes expired rows, a few at a time with pauses between, in one replica at a time.
package actor Sweeper: Service {
    private let database: PostgreSQLDatabase
    private let sweeps: [any Sweep]
    private let lease: Lease
    private let now: @Sendable () -> Int64?
    private let logger: Logger
    private let clock = ContinuousClock()
    private var dueAt: [String: ContinuousClock.Instant] = [:]

    /// - Parameters:
    ///   - holder: The name of this process, different from its replicas'.
    ///   - now: Unix time in seconds; `nil` while nothing may be removed.
    package init(
        database: PostgreSQLDatabase, sweeps: [any Sweep], holder: String, now: @escaping @Sendable () -> Int64?,
        logger: Logger
    ) {
        self.database = database
        self.sweeps = sweeps
        lease = Lease(name: "sweep", holder: holder, lifetimeSeconds: SweepLimits.leaseSeconds)
        self.now = now
        self.logger = logger
        for sweep in sweeps { _ = (Self.failures(sweep.kind), Self.removals(sweep.kind)) }
    }

    private static func failures(_ kind: String) -> Counter {
        Counter(label: "postgresql_sweep_failures_total", dimensions: [("kind", kind)])
    }

    private static func removals(_ kind: String) -> Counter {
        Counter(label: "postgresql_swept_rows_total", dimensions: [("kind", kind)])
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await Task.sleep(for: SweepLimits.interval) } catch { return }
                await self.sweepWhatIsDue()
            }
        }
    }

    private func sweepWhatIsDue() async {
        for sweep in sweeps where dueAt[sweep.kind].map({ $0 <= clock.now }) ?? true {
            do {
                try await pass(sweep)
            } catch is CancellationError {
                return
            } catch {
                Self.failures(sweep.kind).increment()
                logger.warning("sweep.failed", metadata: ["kind": "\(sweep.kind)", "cause": "\(error)"])
            }
            dueAt[sweep.kind] = clock.now + sweep.interval
        }
    }

    /// Makes one pass through the rows of a kind; stops early if a replica has the lease.
    ///
    /// - Returns: The number of rows removed.
    @discardableResult
    package func pass(_ sweep: any Sweep) async throws -> Int {
        let counter = Self.removals(sweep.kind)
        var start: SQLValue?
        var count = 0
        while true {
            guard let now = now() else { return count }
            let position = start
            let finding = try await database.read { try sweep.look(after: position, now: now, in: $0) }
            guard let end = finding.end else { return count }
            if finding.hasExpired {
                guard let removed = try await remove(after: position, upTo: end, by: sweep, now: now) else {
                    return count
                }
                counter.increment(by: Int64(removed))
                count += removed
                // A full batch may have left rows before `end`.
                if removed < SweepLimits.rowsPerBatchMax { start = end }
            } else {
                start = end
            }
            guard finding.hasMore else { return count }
            try await Task.sleep(for: SweepLimits.pause)
        }
    }

    /// Returns `nil` if a replica has the lease.
    private func remove(
        after start: SQLValue?, upTo end: SQLValue, by sweep: any Sweep, now: Int64
    ) async throws -> Int? {
        let lease = lease
        return try await database.write { transaction in
            guard try lease.take(in: transaction) else { return nil }
            return try sweep.remove(after: start, upTo: end, now: now, in: transaction)
        }
    }
}
