import InternalAPI
import Logging
import ServiceKit
import ServiceLifecycle
import Storage

/// Moves the signing keys through their states by the clock, in one replica at a time.
actor KeyTimer: Service {
    static let interval: Duration = .seconds(1)
    /// The lease in seconds. Making an RSA key takes well below this, and a holder that is killed delays the others no longer.
    static let leaseSeconds: Int64 = 10

    private let keys: SigningKeys
    private let feed: any RevocationFeedWriter
    private let leases: any LeaseStore
    private let lease: Lease
    private let now: @Sendable () -> Int64?
    private let logger: Logger
    /// Whether gateways may not know the current keys. It is so at first, because the last process may have been killed.
    private var owesAnnouncement = true

    /// - Parameters:
    ///   - holder: a name that distinguishes this process from its replicas.
    ///   - now: Unix time in seconds; `nil` while no key may change by the clock.
    init(
        keys: SigningKeys, leases: any LeaseStore, feed: any RevocationFeedWriter, holder: String,
        now: @escaping @Sendable () -> Int64?, logger: Logger
    ) {
        self.keys = keys
        self.feed = feed
        self.leases = leases
        lease = Lease(name: "signing-keys", holder: holder, lifetimeSeconds: Self.leaseSeconds)
        self.now = now
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isFailing = false
            while !Task.isCancelled {
                do {
                    try await self.tick()
                    isFailing = false
                } catch is CancellationError { return } catch {
                    if !isFailing { self.logger.warning("keys.timer_failed", metadata: ["error": "\(error)"]) }
                    isFailing = true
                }
                do { try await pause(for: Self.interval) } catch { return }
            }
        }
    }

    /// Carries out the steps that are due, unless a replica is doing so, and tells the gateways.
    func tick() async throws {
        if let now = now(), try await keys.isAnythingDue(now: now), try await leases.take(lease, now: now) {
            // The step applies only if the keys are unchanged since they were read, because a lease may end early.
            if try await keys.doWhatIsDue(now: now) {
                owesAnnouncement = true
                logger.info("keys.rotated")
            }
            try await leases.release(lease)
        }
        guard owesAnnouncement else { return }
        try await feed.announceKeys()
        owesAnnouncement = false
    }
}
