import CoreMetrics
import Logging
import NIOCore
import Synchronization

/// The health of an upstream's address, which all event loops share. Each skip and each return is logged and counted once.
///
/// While all is well, a request reads two atomic values and takes no lock.
final class HealthRecord: Sendable {
    private struct State {
        var health: AddressHealth
        /// The requests of all loops that have been sent and got no byte of a response.
        var waitingCount = 0
    }

    private let service: String
    private let address: SocketAddress
    private let logger: Logger
    private let state: Mutex<State>
    private let hasTrouble = Atomic<Bool>(false)
    private let skipped = Atomic<Bool>(false)
    /// The uptime in nanoseconds at which the address was last known to have sent anything.
    private let sentAt = Atomic<UInt64>(0)

    /// - Parameter checkInterval: the time between checks; `nil` if requests of clients try the address.
    init(service: String, address: SocketAddress, checkInterval: TimeAmount?, logger: Logger) {
        self.service = service
        self.address = address
        self.logger = logger
        state = Mutex(State(health: AddressHealth(checkInterval: checkInterval)))
    }

    var isSkipped: Bool { skipped.load(ordering: .relaxed) }
    /// Whether a good response may change anything.
    var isInTrouble: Bool { hasTrouble.load(ordering: .relaxed) }

    /// Whether the address has sent anything within the last second.
    func hasSentLately(now: NIODeadline) -> Bool {
        let last = sentAt.load(ordering: .relaxed)
        return last > 0 && now - .uptimeNanoseconds(last) <= .seconds(1)
    }

    func mayBeTried(now: NIODeadline) -> Bool { state.withLock { $0.health.mayBeTried(now: now) } }
    func beginTrial(now: NIODeadline) -> Bool { state.withLock { $0.health.beginTrial(now: now) } }
    func trialDidCancel(now: NIODeadline) { state.withLock { $0.health.trialDidCancel(now: now) } }
    func beginCheck(now: NIODeadline) -> Bool { state.withLock { $0.health.beginCheck(now: now) } }

    /// Notes an event, and reports the change that follows from it.
    func note(_ event: (inout AddressHealth) -> AddressHealth.Change?) { update { event(&$0.health) } }

    /// Adds one loop's part of a look.
    ///
    /// - Parameters:
    ///   - change: the number of requests that wait on this loop, less those of its last call.
    ///   - hasSent: whether any byte has arrived on this loop since its last call.
    func look(change: Int, hasSent: Bool, othersSent: Bool, now: NIODeadline) {
        if hasSent { sentAt.store(now.uptimeNanoseconds, ordering: .relaxed) }
        update { state in
            state.waitingCount += change
            return state.health.look(
                waitingCount: state.waitingCount, hasSent: hasSent, othersSent: othersSent, now: now)
        }
    }

    private func update(_ event: (inout State) -> AddressHealth.Change?) {
        let change = state.withLock { state in
            let change = event(&state)
            skipped.store(state.health.isSkipped, ordering: .relaxed)
            hasTrouble.store(!state.health.isWell, ordering: .relaxed)
            return change
        }
        if let change { report(change) }
    }

    private func report(_ change: AddressHealth.Change) {
        var metadata: Logger.Metadata = ["service": "\(service)", "endpoint": "\(address)"]
        switch change {
        case .skipped(let reason):
            Self.skips(of: service, for: reason).increment()
            metadata["reason"] = "\(reason.rawValue)"
            logger.warning("upstream.skipped", metadata: metadata)
        case .returned: logger.info("upstream.returned", metadata: metadata)
        }
    }

    /// Returns the counter of a service's skips, which begins at 0 when it is first requested.
    @discardableResult
    static func skips(of service: String, for reason: AddressHealth.Reason) -> Counter {
        Counter(label: "upstream_skips_total", dimensions: [("service", service), ("reason", reason.rawValue)])
    }
}
