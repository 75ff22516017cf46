import CoreMetrics
import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Tells users who were away for long that their accounts will be removed, a bounded number at a time, one replica at a time.
///
/// `PendingChangeJob` removes the accounts (`InactivityRemoval`).
actor InactivityJob: Service {
    /// The results in the metric. `notReached` is counted at each pass.
    enum Result: String, CaseIterable {
        case told, removed, kept
        case notReached = "not_reached"

        func count() {
            Counter(label: InactivityJob.counter, dimensions: [("result", rawValue)]).increment()
        }
    }

    static let counter = "auth_inactive_users_total"
    /// The pause between two turns.
    static let interval: Duration = .seconds(10)
    /// The seconds between two passes of a replica through all users.
    private static let passSeconds: Int64 = 86_400
    private static let leaseName = "inactivity"
    /// How many seconds the other replicas wait for one that stops responding.
    private static let leaseSeconds: Int64 = 60

    private let accounts: InactiveAccounts
    private let leases: any LeaseStore
    /// Identifies this process among its replicas.
    private let holder: String
    /// Unix time in seconds; `nil` while the clock is not trusted.
    private let now: @Sendable () -> Int64?
    private let logger: Logger
    /// The id after which the next turn begins.
    private var last: UserID?
    /// Unix time in seconds before which no turn begins.
    private var dueAt: Int64 = .min

    /// - Parameter accounts: `nil` if the policy removes no such accounts; there is no job then.
    init?(
        accounts: InactiveAccounts?, leases: any LeaseStore, holder: String, now: @escaping @Sendable () -> Int64?,
        logger: Logger
    ) {
        guard let accounts else { return nil }
        (self.accounts, self.leases, self.holder) = (accounts, leases, holder)
        (self.now, self.logger) = (now, logger)
    }

    func run() async throws {
        guard accounts.rule.isConfirmed else {
            logger.warning("inactive.unconfirmed", metadata: ["command": "latchkeyctl users inactive --dry-run"])
            return await repeatUntilShutdown(every: Self.interval) {}
        }
        await repeatUntilShutdown(every: Self.interval) { await self.round() }
    }

    /// Makes one turn. After a fault, which is logged, the next round tries the same users again.
    func round() async {
        guard accounts.rule.isConfirmed, let now = now(), now >= dueAt else { return }
        do {
            let lease = Lease(name: Self.leaseName, holder: holder, lifetimeSeconds: Self.leaseSeconds)
            guard try await leases.take(lease, now: now), try await accounts.hasRoom() else { return }
            let (people, next) = try await accounts.turn(behind: last, now: now)
            for person in people { try await look(at: person, now)?.count() }
            last = next
            if next == nil { dueAt = now + Self.passSeconds }
        } catch {
            logger.warning("inactive.failed", metadata: ["cause": "\(error)"])
        }
    }

    /// - Returns: the result, or `nil` if the user was told before and the removal waits.
    private func look(at person: InactiveAccounts.Person, _ now: Int64) async throws -> Result? {
        guard person.quiet.removesAt == nil else {
            return try await accounts.endIfUntold(person, now: now) ? .notReached : nil
        }
        if try await accounts.tell(person, now: now) { return .told }
        return person.recipients.isEmpty ? .notReached : .kept
    }
}
