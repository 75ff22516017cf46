import Logging
import ServiceKit
import ServiceLifecycle

/// Goes through all buckets of phone numbers again and again and removes entries that no longer count.
///
/// Replicas may do it at the same time, since it changes nothing that counts.
struct NumberSweep: Service {
    /// The duration of one pass in seconds, after which an expired entry is gone at the latest.
    static let walkSeconds = 900
    /// The number of buckets that are swept at once. They share packets to Redis, and an idle process is woken once a second.
    private static let groupCount = 16

    let store: RedisChallengeStore
    /// Unix time in seconds; `nil` while nothing may be removed.
    let now: @Sendable () -> Int64?
    let logger: Logger

    func run() async throws {
        let interval = Duration.seconds(Self.walkSeconds) * Self.groupCount / RecipientTag.bucketCount
        await cancelWhenGracefulShutdown {
            var first = 0
            while !Task.isCancelled {
                // Cancellation ends the pause; the loop's condition sees it.
                do { try await pause(for: interval) } catch { return }
                await withTaskGroup { group in
                    for bucket in first..<first + Self.groupCount { group.addTask { await sweep(bucket) } }
                }
                first = (first + Self.groupCount) % RecipientTag.bucketCount
            }
        }
    }

    private func sweep(_ bucket: Int) async {
        guard let now = now() else { return }
        do throws(ChallengeStoreFailure) {
            try await store.sweep(bucket: bucket, now: now)
        } catch {
            logger.debug("otp.sweep.failed", metadata: ["cause": "\(error)"])
        }
    }
}
