import CoreMetrics
import Logging
import ServiceLifecycle

/// Warns at the start while a review access is open, and counts the open ones, so that a forgotten one shows in a graph.
struct ReviewWatch: Service {
    private static let interval: Duration = .seconds(60)

    let store: any ReviewStore
    let now: @Sendable () -> Int64
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isWarned = false
            while !Task.isCancelled {
                isWarned = await look(warns: !isWarned) || isWarned
                // Redis may be a moment behind at the start. Cancellation ends the sleep; the loop's condition sees it.
                do { try await Task.sleep(for: isWarned ? Self.interval : .seconds(1)) } catch { return }
            }
        }
    }

    /// - Returns: whether Redis could be asked.
    private func look(warns: Bool) async -> Bool {
        do throws(ChallengeStoreFailure) {
            let open = try await store.openReviews(and: nil, now: now()).all
            Gauge(label: "auth_review_access_open").record(open.count)
            guard warns else { return true }
            for review in open {
                logger.warning(
                    "otp.review_access.open",
                    metadata: ["number": "\(review.label)", "until": .stringConvertible(review.endsAt)])
            }
            return true
        } catch {
            logger.debug("otp.review_access.unread", metadata: ["cause": "\(error)"])
            return false
        }
    }
}
