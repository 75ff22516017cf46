import CoreMetrics
import ServiceLifecycle
import Synchronization

/// Watches whether Redis is nearly full, so that growing data stops in time and revocations always have room (design
/// section 4).
///
/// It queries Redis once a second and caches the result. A Redis without `maxmemory` is never full.
package final class RedisMemoryWatch: Service {
    /// The share of `maxmemory` at which Redis counts as nearly full, in percent.
    package static let nearlyFullPercent: Int64 = 80
    /// The share at which optional data, such as traces, is no longer written, in percent.
    package static let shortPercent: Int64 = 70
    /// The pause between two queries; even the fastest flood fills less than a hundredth of Redis in it.
    package static let interval: Duration = .seconds(1)

    private let redis: RedisClient
    private let nearlyFull = Atomic<Bool>(false)
    private let short = Atomic<Bool>(false)

    package init(redis: RedisClient) { self.redis = redis }

    /// Whether Redis was nearly full at the last query; `false` before the first one.
    package var isNearlyFull: Bool { nearlyFull.load(ordering: .relaxed) }

    /// Whether memory was short at the last query; `false` before the first one.
    package var isShort: Bool { short.load(ordering: .relaxed) }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.look()
                // Cancellation ends the sleep; the loop's condition checks it.
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
        }
    }

    /// Queries Redis now. If that fails, the last result stays.
    package func look() async {
        do throws(RedisError) {
            guard let text = try await redis.send(["INFO", "memory"]).text, let use = RedisMemoryUse(info: text) else {
                return
            }
            short.store(use.isAtLeast(percent: Self.shortPercent), ordering: .relaxed)
            nearlyFull.store(use.isAtLeast(percent: Self.nearlyFullPercent), ordering: .relaxed)
            Gauge(label: "redis_memory_used_bytes").record(use.used)
            Gauge(label: "redis_memory_max_bytes").record(use.max)
        } catch {
            // The client has logged and counted it.
        }
    }
}

/// The memory figures of `INFO memory`, in bytes.
struct RedisMemoryUse: Equatable {
    let used: Int64
    /// 0 if there is no limit.
    let max: Int64

    init?(info: String) {
        var values: [Substring: Int64] = [:]
        for line in info.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, let value = Int64(parts[1]) { values[parts[0]] = value }
        }
        guard let used = values["used_memory"], let max = values["maxmemory"] else { return nil }
        self.used = used
        self.max = max
    }

    func isAtLeast(percent: Int64) -> Bool { max > 0 && used >= max / 100 * percent }
}
