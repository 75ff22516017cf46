import Logging
import ServiceKit
import ServiceLifecycle

/// Walks over all buckets of numbers again and again and drops what no longer counts.
///
/// Replicas may do it side by side: it changes nothing that counts.
struct NumberSweep: Service {
    /// One walk; what has ended is gone after as long at the latest.
    static let walkSeconds = 900
    /// Buckets that are swept at once: they share packets to Redis, and a process at rest is woken once a second.
    private static let groupCount = 16

    let store: RedisChallengeStore
    let now: @Sendable () -> Int64
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
        do throws(ChallengeStoreFailure) {
            try await store.sweep(bucket: bucket, now: now())
        } catch {
            logger.debug("otp.sweep.failed", metadata: ["cause": "\(error)"])
        }
    }
}
