internal import Logging
internal import ServiceLifecycle

/// Sees to it that Redis knows every revocation that still matters (design section 5, *Revocation*).
struct RevocationPublisher: Service {
    let store: any SessionStore
    let keys: any KeyRevocationStore
    let feed: any RevocationFeedWriter
    let now: @Sendable () -> Int64
    let logger: Logger

    /// Publishes what a caller waits for and notes it; when this returns, the revocations hold everywhere soon.
    func publish(_ revocations: [Revocation]) async throws {
        var rest = revocations[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(RevocationLimits.batchMax))
            try await feed.publish(batch, now: now())
            try await store.markPublished(batch.map(\.sessionID))
            rest = rest.dropFirst(batch.count)
        }
    }

    /// The same for all signing keys that Redis may not know to be revoked.
    func publishKeys() async throws {
        let waiting = try await keys.unpublishedRevocations()
        guard !waiting.isEmpty else { return }
        try await feed.publish(waiting, now: now())
        try await keys.markRevocationsPublished(waiting.map(\.keyID))
    }

    /// Publishes what was left behind and rebuilds the list when Redis has lost it, until shutdown.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isFailing = false
            while !Task.isCancelled {
                do {
                    try await catchUp()
                    if isFailing { logger.info("revocations.publishing_again") }
                    isFailing = false
                    try await Task.sleep(for: .milliseconds(RevocationLimits.intervalMilliseconds))
                } catch is CancellationError {
                    return
                } catch {
                    if !isFailing { logger.warning("revocations.not_published", metadata: ["error": "\(error)"]) }
                    isFailing = true
                    do {
                        try await Task.sleep(for: .milliseconds(RevocationLimits.intervalMilliseconds))
                    } catch { return }
                }
            }
        }
    }

    /// One look: the list first, then what is not yet published.
    func catchUp() async throws {
        if try await !feed.isComplete() { try await rebuild() }
        try await publishKeys()
        while true {
            let waiting = try await store.unpublished(limit: RevocationLimits.batchMax)
            try await publish(waiting)
            guard waiting.count == RevocationLimits.batchMax else { return }
        }
    }

    /// Writes every live revocation again; a list that is lost once more meanwhile stays incomplete, and the next look
    /// finds that.
    func rebuild() async throws {
        let ticket = try await feed.beginRebuild()
        try await feed.restore(try await keys.liveRevocations(now: now()), now: now())
        var last: SessionID?
        while true {
            let page = try await store.live(after: last, limit: RevocationLimits.batchMax, now: now())
            try await feed.restore(page, now: now())
            guard page.count == RevocationLimits.batchMax else { break }
            last = page.last?.sessionID
        }
        let isComplete = try await feed.finishRebuild(ticket)
        logger.info("revocations.rebuilt", metadata: ["complete": "\(isComplete)"])
    }
}
