import CallDeadlines
import CoreMetrics
import Logging
import ServiceKit
import ServiceLifecycle

/// Makes sure that Redis knows every revocation that still matters (design section 5, *Revocation*).
struct RevocationPublisher: Service {
    let store: any RevocationStore
    let keys: any SigningKeyStore
    let feed: any RevocationFeedWriter
    let now: @Sendable () -> Int64
    let logger: Logger

    /// Publishes the revocations that a caller waits for, and notes it. Soon after it returns they apply everywhere.
    ///
    /// A revocation is published even if its caller has cancelled the call meanwhile.
    func publish(_ revocations: [Revocation]) async throws {
        try await CallDeadline.lifted {
            try await inBatches(revocations) { batch in
                try await feed.publish(batch, now: now())
                try await store.markPublished(batch.map(\.sessionID))
            }
        }
    }

    /// Publishes revocations of tokens below a version, and notes it.
    func publish(_ floors: [VersionFloor]) async throws {
        try await CallDeadline.lifted {
            try await inBatches(floors) { batch in
                try await feed.publish(batch, now: now())
                try await store.markPublished(batch)
            }
        }
    }

    /// Publishes the revocations of all signing keys that Redis may not know, and notes it.
    func publishKeys() async throws {
        let waiting = try await keys.unpublishedRevocations()
        guard !waiting.isEmpty else { return }
        try await CallDeadline.lifted {
            try await feed.publish(waiting, now: now())
            try await keys.markRevocationsPublished(waiting.map(\.keyID))
        }
    }

    /// Publishes remaining revocations and rebuilds the list when Redis has lost it, until shutdown.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isFailing = false
            while !Task.isCancelled {
                do {
                    try await catchUp()
                    if isFailing { logger.info("revocations.publishing_again") }
                    isFailing = false
                } catch is CancellationError {
                    return
                } catch {
                    if !isFailing { logger.warning("revocations.not_published", metadata: ["error": "\(error)"]) }
                    isFailing = true
                }
                let interval = isFailing ? RevocationLimits.retryInterval : RevocationLimits.interval
                // A cancellation ends the loop.
                do { try await pause(for: interval) } catch { return }
            }
        }
    }

    /// Rebuilds the list if it is incomplete, then publishes the unpublished revocations.
    func catchUp() async throws {
        let count = try await store.unpublishedCount()
        Gauge(label: "auth_revocations_unpublished").record(count)
        if try await !feed.isComplete() { try await rebuild() }
        guard count > 0 else { return }
        try await publishKeys()
        try await repeatWhileFull {
            let waiting = try await store.unpublished(limit: RevocationLimits.batchMax)
            try await publish(waiting)
            return waiting.count
        }
        try await repeatWhileFull {
            let waiting = try await store.unpublishedFloors(limit: RevocationLimits.batchMax)
            try await publish(waiting)
            return waiting.count
        }
    }

    /// Writes every live revocation again. A list that is lost again meanwhile stays incomplete, which the next check finds.
    func rebuild() async throws {
        let ticket = try await feed.beginRebuild()
        try await feed.restore(try await keys.liveRevocations(now: now()), now: now())
        var last: SessionID?
        try await repeatWhileFull {
            let page = try await store.live(after: last, limit: RevocationLimits.batchMax, now: now())
            try await feed.restore(page, now: now())
            last = page.last?.sessionID
            return page.count
        }
        last = nil
        try await repeatWhileFull {
            let page = try await store.liveFloors(after: last, limit: RevocationLimits.batchMax, now: now())
            try await feed.restore(page, now: now())
            last = page.last?.sessionID
            return page.count
        }
        let isComplete = try await feed.finishRebuild(ticket)
        Counter(label: "auth_revocation_rebuilds_total").increment()
        logger.info("revocations.rebuilt", metadata: ["complete": "\(isComplete)"])
    }

    private func inBatches<Element>(
        _ elements: [Element], _ body: ([Element]) async throws -> Void
    ) async throws {
        var rest = elements[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(RevocationLimits.batchMax))
            try await body(batch)
            rest = rest.dropFirst(batch.count)
        }
    }

    /// Repeats `body` until it finds fewer than a whole batch.
    private func repeatWhileFull(_ body: () async throws -> Int) async throws {
        while try await body() == RevocationLimits.batchMax {}
    }
}
