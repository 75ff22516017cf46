package import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Posts the events of a service to the hook, one replica at a time: several users in parallel, each user's events in their order.
package struct EventDrain: Service {
    /// Returns the bodies of events, in their order.
    package typealias Bodies = @Sendable ([QueuedEvent]) async throws -> [EventBody]

    let queue: EventQueue
    let poster: EventPoster
    let state: HookState
    let bodies: Bodies
    /// The name of this process, different from its replicas'.
    let holder: String
    /// Unix time in seconds.
    let now: @Sendable () -> Int64
    /// Unix time in seconds; `nil` while the clock cannot be trusted with ages.
    let ageNow: @Sendable () -> Int64?
    let logger: Logger
    private let lines = LogLimit()

    package init(
        queue: EventQueue, poster: EventPoster, state: HookState, holder: String, now: @escaping @Sendable () -> Int64,
        ageNow: @escaping @Sendable () -> Int64?, logger: Logger, bodies: @escaping Bodies
    ) {
        (self.queue, self.poster, self.state, self.bodies) = (queue, poster, state, bodies)
        (self.holder, self.now, self.ageNow, self.logger) = (holder, now, ageNow, logger)
    }

    package func run() async throws {
        EventMetrics.start()
        await withDiscardingTaskGroup { group in
            group.addTask { await repeatUntilShutdown(every: EventLimits.countInterval) { await count() } }
            group.addTask { await repeatUntilShutdown(every: EventLimits.pollInterval) { await round() } }
        }
        await logging("user_hook.lease_kept") { try await queue.release(lease) }
    }

    /// Posts all events that are due. After a fault of the storage, which is logged, the next round tries again.
    package func round() async {
        await logging("user_hook.round_failed") {
            guard state.isOpen(), try await queue.hasDue(now: now()) else { return }
            try await drain()
        }
    }

    /// Counts the events that wait, for the metrics, and gives up those that have waited for too long.
    func count() async {
        await logging("user_hook.uncounted") {
            var standing = try await queue.standing()
            if let now = ageNow(), let oldestAt = standing.oldestAt, oldestAt <= now - EventLimits.waitingSecondsMax {
                let count = try await queue.giveUp(queuedUntil: now - EventLimits.waitingSecondsMax, now: now)
                EventMetrics.countGivenUp(count)
                // Otherwise another replica has given them up.
                if count > 0 {
                    logger.error("user_hook.events_given_up", metadata: ["count": .stringConvertible(count)])
                }
                standing = try await queue.standing()
            }
            EventMetrics.record(standing, isStopped: state.isStopped, now: now())
        }
    }

    /// The right to post events.
    private var lease: Lease {
        Lease(name: "user events", holder: holder, lifetimeSeconds: EventLimits.leaseSeconds)
    }

    private func logging(_ message: Logger.Message, _ body: () async throws -> Void) async {
        do { try await body() } catch {
            if lines.allows("\(message) \(error)") { logger.warning(message, metadata: ["cause": "\(error)"]) }
        }
    }
}

extension EventDrain {
    private enum Finished: Sendable {
        case chain(of: [UInt8], [EventResult])
        /// The queue is queried again, also while posts are slow.
        case pause
    }

    /// The state of a round.
    private struct Progress {
        /// The users whose events are being posted.
        var posting: Set<[UInt8]> = []
        /// Results of posts that are not stored yet.
        var results: [EventResult] = []
        /// Claimed events that wait for a place.
        var waiting: [EventChain] = []
    }

    /// Posts events until none is due, or another replica has the lease.
    private func drain() async throws {
        var progress = Progress()
        try await withThrowingTaskGroup(of: Finished.self) { group in
            group.addTask { await Self.pauses() }
            while !Task.isCancelled {
                if progress.waiting.isEmpty || !state.isOpen(), try await !claim(&progress) { break }
                while progress.posting.count < EventLimits.placesMax, let chain = progress.waiting.popLast() {
                    progress.posting.insert(chain.user)
                    group.addTask { .chain(of: chain.user, await post(chain)) }
                }
                guard !progress.posting.isEmpty, let finished = try await group.next() else { break }
                switch finished {
                case .chain(let user, let results):
                    progress.posting.remove(user)
                    progress.results += results
                case .pause:
                    // Events that wait for a slow receiver are claimed anew, so that the lease is prolonged and results are stored.
                    progress.waiting = []
                    group.addTask { await Self.pauses() }
                }
            }
            group.cancelAll()
            for try await case .chain(_, let results) in group { progress.results += results }
        }
        // Events that the receiver has confirmed are not posted again.
        if !progress.results.isEmpty { _ = try await store(&progress, claiming: 0) }
    }

    private static func pauses() async -> Finished {
        // A pause that was cancelled is over too.
        do { try await pause(for: EventLimits.pollInterval) } catch { return .pause }
        return .pause
    }

    /// Stores results and claims what is due of the users who are not being served.
    ///
    /// - Returns: `false` if another replica has the lease.
    private func claim(_ progress: inout Progress) async throws -> Bool {
        let limit = state.isOpen() ? EventLimits.batchMax : 0
        guard let events = try await store(&progress, claiming: limit) else { return false }
        // The first one is taken last.
        progress.waiting = events.isEmpty ? [] : EventChain.chains(events, try await bodies(events)).reversed()
        return true
    }

    private func store(_ progress: inout Progress, claiming limit: Int) async throws -> [QueuedEvent]? {
        let events = try await queue.turn(
            progress.results, besides: progress.posting, limit: limit, lease: lease, now: now())
        progress.results = []
        return events
    }

    /// Posts a user's events one after the other, until one fails or the time for the chain is over.
    private func post(_ chain: EventChain) async -> [EventResult] {
        let end = ContinuousClock.now + EventLimits.chainLimit
        var results: [EventResult] = []
        for (event, body) in chain.events {
            guard !Task.isCancelled, state.isOpen(), .now < end else { break }
            let verdict = await poster.post(event, body)
            state.note(verdict)
            let result = EventResult(of: event, verdict, now: now(), mayGiveUp: ageNow() != nil)
            note(verdict, result)
            guard let result else { break }
            results.append(result)
            if case .retry = result.step { break }
        }
        return results
    }

    private func note(_ verdict: EventVerdict, _ result: EventResult?) {
        EventMetrics.count(verdict, isGivenUp: result?.step == .givenUp)
        switch (verdict, result?.step) {
        case (.delivered, _): break
        case (.gone, _): logger.error("user_hook.stopped", metadata: ["cause": "the receiver has answered 410"])
        case (_, .givenUp):
            guard lines.allows("given up") else { return }
            logger.error("user_hook.event_given_up", metadata: ["cause": "\(verdict.reason)"])
        default:
            guard lines.allows(verdict.reason) else { return }
            logger.warning("user_hook.event_failed", metadata: ["cause": "\(verdict.reason)"])
        }
    }
}
