import InternalAPI
import Logging
import ServiceKit
import ServiceLifecycle

/// Decides on the pending changes of one kind when they are due.
protocol PendingChangeRule: Sendable {
    /// The subjects whose facts the rule needs in addition to the user's `identities`.
    func subjects(of change: PendingChange) -> [UserQuestion.Subject]

    /// Returns why the change must not happen, as another service knows, or `nil`. It is asked before the facts are read.
    ///
    /// - Throws: `ServiceUnavailable`; the change waits then.
    func obstacle(to change: PendingChange) async throws -> String?

    /// The changes to write; only a record of the audit if the facts or the obstacle no longer allow the change.
    ///
    /// - Parameters:
    ///   - own: the facts of the user, with all identities.
    ///   - others: the facts of `subjects`, in their order.
    ///   - now: Unix time in seconds.
    func decide(
        _ change: PendingChange, _ own: UserFacts, _ others: [UserFacts], obstacle: String?, _ now: Int64
    ) throws -> [UserChange]
}

extension PendingChangeRule {
    func obstacle(to change: PendingChange) async throws -> String? { nil }
}

/// Carries out the pending changes that are due, each in one transaction.
///
/// A change is decided on again from the stored facts, and ends in the same transaction, so that of two processes only one carries it
/// out, and none does after an objection.
struct PendingChangeJob: Service {
    /// The pause between two rounds.
    static let interval: Duration = .seconds(10)
    /// The most changes of one query.
    static let batchMax = 32

    let store: any UserStore
    let queries: any UserQueries
    let rules: [PendingChange.Kind: any PendingChangeRule]
    /// Unix time in seconds; `nil` while the clock is not trusted.
    let now: @Sendable () -> Int64?
    let logger: Logger

    func run() async throws { await repeatUntilShutdown(every: Self.interval) { await round() } }

    /// Carries out all changes that are due. After a fault, which is logged, the next round tries again.
    func round() async {
        do {
            var failures = 0
            while !Task.isCancelled, failures == 0, let now = now() {
                let batch = try await queries.pendingChanges(dueAt: now, limit: Self.batchMax)
                for change in batch where await !carryOut(change, now) { failures += 1 }
                guard batch.count == Self.batchMax else { return }
            }
        } catch {
            logger.warning("pending_change.failed", metadata: ["cause": "\(error)"])
        }
    }

    /// - Returns: `false` after a fault, so that the other changes are still carried out.
    private func carryOut(_ change: PendingChange, _ now: Int64) async -> Bool {
        guard let rule = rules[change.kind] else { return false }
        let subjects = [.identities(change.user)] + rule.subjects(of: change)
        do {
            let obstacle = try await rule.obstacle(to: change)
            let isDone = try await store.decide(subjects.map { UserQuestion($0, askedAt: now) }, now: now) { facts in
                guard let own = facts.first, own.pending.contains(change) else { return Verdict(false) }
                let changes = try rule.decide(change, own, Array(facts.dropFirst()), obstacle: obstacle, now)
                return Verdict(true, [.endPendingChange(change)] + changes)
            }
            if isDone { logger.info("pending_change.done", metadata: ["kind": "\(change.kind.rawValue)"]) }
            return true
        } catch {
            logger.warning("pending_change.failed", metadata: ["cause": "\(error)"])
            return false
        }
    }
}
