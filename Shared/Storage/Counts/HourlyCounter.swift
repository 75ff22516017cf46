package import Logging
import ServiceLifecycle

/// Adds what a process has counted in memory to the hour's rows, once a minute and at a shutdown. What was counted since is lost if
/// the process is killed.
package actor HourlyCounter: Service {
    static let interval: Duration = .seconds(60)

    private let rows: HourlyCounts
    private let totals: @Sendable () -> [String: Int64]
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private var added: [String: Int64] = [:]

    /// - Parameters:
    ///   - totals: The counts of each series since the start of the process.
    ///   - now: Unix time in seconds.
    package init(
        rows: HourlyCounts, totals: @escaping @Sendable () -> [String: Int64], now: @escaping @Sendable () -> Int64,
        logger: Logger
    ) {
        (self.rows, self.totals, self.now, self.logger) = (rows, totals, now, logger)
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do { try await Task.sleep(for: Self.interval) } catch { return }
                await self.flush()
            }
        }
        await flush()
    }

    /// Adds what was counted since the last call. What cannot be written now is added later.
    package func flush() async {
        var growth = totals()
        growth.merge(added.filter { growth[$0.key] != nil }, uniquingKeysWith: -)
        growth = growth.filter { $0.value > 0 }
        guard !growth.isEmpty else { return }
        // Before the wait, so that a call meanwhile does not add them too.
        added.merge(growth, uniquingKeysWith: +)
        do { try await rows.add(growth, at: now()) } catch {
            // The commit may have succeeded, so the same growth is not added twice.
            if (error as? StorageError)?.code != .unknown { added.merge(growth, uniquingKeysWith: -) }
            logger.warning("counts.unwritten", metadata: ["cause": "\(error)"])
        }
    }

    /// Returns the sums of the last steps, with what was counted until now.
    package func sums(
        steps: Int, of stepSeconds: Int64
    ) async throws -> (from: Int64, counts: [String: [Int64]]) {
        await flush()
        return try await rows.sums(steps: steps, of: stepSeconds, now: now())
    }
}
