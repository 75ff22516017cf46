import CoreMetrics
import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Tells users who were away for long that their accounts will be removed, a bounded number at a time, one replica at a time.
///
/// `PendingChangeJob` removes the accounts (`InactivityRemoval`).
actor InactivityJob: Service {
    /// The results in the metric.
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
    /// The seconds between two passes through all users.
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
    /// The user behind whom the next turn begins.
    private var last: UserID?
    /// Unix time in seconds before which no turn begins.
    private var dueAt: Int64 = .min

    init(
        accounts: InactiveAccounts, leases: any LeaseStore, holder: String, now: @escaping @Sendable () -> Int64?,
        logger: Logger
    ) {
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
            guard try await leases.take(lease, now: now) else { return }
            let (people, next) = try await accounts.turn(behind: last, now: now)
            for person in people where person.quiet.removesAt == nil {
                let isTold = try await accounts.tell(person, now: now)
                (isTold ? Result.told : person.recipients.isEmpty ? .notReached : .kept).count()
            }
            last = next
            if next == nil { dueAt = now + Self.passSeconds }
        } catch {
            logger.warning("inactive.failed", metadata: ["cause": "\(error)"])
        }
    }
}
