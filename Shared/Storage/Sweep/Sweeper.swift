import CoreMetrics
package import Logging
import ServiceLifecycle

/// Removes expired rows, a few at a time with pauses between, in one replica at a time: no write of the service waits
/// longer than for a small batch.
package actor Sweeper: Service {
    private let database: any StorageDatabase
    private let sweeps: [any Sweep]
    private let lease: Lease
    private let now: @Sendable () -> Int64?
    private let pause: @Sendable (Duration) async throws -> Void
    private let logger: Logger
    private let clock = ContinuousClock()
    private var dueAt: [String: ContinuousClock.Instant] = [:]

    /// - Parameters:
    ///   - holder: The name of this process, different from its replicas'.
    ///   - now: Unix time in seconds; `nil` while nothing may be removed.
    ///   - pause: Waits between two steps; tests do not wait.
    package init(
        database: any StorageDatabase, sweeps: [any Sweep], holder: String, now: @escaping @Sendable () -> Int64?,
        logger: Logger, pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.database = database
        self.sweeps = sweeps
        lease = Lease(name: "sweep", holder: holder, lifetimeSeconds: SweepLimits.leaseSeconds)
        self.now = now
        self.pause = pause
        self.logger = logger
        for sweep in sweeps { _ = (failures(sweep.kind), removals(sweep.kind)) }
    }

    private nonisolated func failures(_ kind: String) -> Counter {
        let label =
            switch database.kind {
            case .sqlite: "sqlite_sweep_failures_total"
            case .postgreSQL: "postgresql_sweep_failures_total"
            }
        return Counter(label: label, dimensions: [("kind", kind)])
    }

    private nonisolated func removals(_ kind: String) -> Counter {
        let label =
            switch database.kind {
            case .sqlite: "sqlite_swept_rows_total"
            case .postgreSQL: "postgresql_swept_rows_total"
            }
        return Counter(label: label, dimensions: [("kind", kind)])
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await self.pause(SweepLimits.interval) } catch { return }
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
                failures(sweep.kind).increment()
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
        let counter = removals(sweep.kind)
        var start = SQLValue.null
        var count = 0
        repeat {
            guard let now = now() else { break }
            let position = start
            let finding = try await database.read { try sweep.find(from: position, now: now, in: $0) }
            if !finding.keys.isEmpty {
                guard let removed = try await remove(finding.keys, by: sweep, now: now) else { break }
                counter.increment(by: Int64(removed))
                count += removed
                // If a row is found but not removed, a look that begins there again would find it forever.
                guard removed > 0 || finding.next != position else { break }
            }
            start = finding.next
            if start != .null { try await pause(SweepLimits.pause) }
        } while start != .null
        return count
    }

    /// Returns `nil` if a replica has the lease.
    private func remove(_ keys: [SQLValue], by sweep: any Sweep, now: Int64) async throws -> Int? {
        let lease = lease
        return try await database.write { transaction in
            guard try lease.take(now: now, in: transaction) else { return nil }
            return try sweep.remove(keys, now: now, in: transaction)
        }
    }
}
