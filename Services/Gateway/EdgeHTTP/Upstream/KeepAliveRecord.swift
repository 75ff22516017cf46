import CoreMetrics
import Logging
import NIOCore
import Synchronization

/// The trust in an upstream's address to keep connections. All event loops share it.
final class KeepAliveRecord: Sendable {
    private let service: String
    private let address: SocketAddress
    private let logger: Logger
    private let penalty = Mutex(KeepAlivePenalty())
    /// The uptime in nanoseconds from which the address is fully trusted. No lock is taken while there is nothing to check.
    private let trustedFrom = Atomic<UInt64>(0)

    init(service: String, address: SocketAddress, logger: Logger) {
        self.service = service
        self.address = address
        self.logger = logger
    }

    func trust(now: NIODeadline) -> KeepAlivePenalty.Trust {
        guard now.uptimeNanoseconds < trustedFrom.load(ordering: .acquiring) else { return .full }
        return penalty.withLock { $0.trust(now: now) }
    }

    /// Notes unsolicited bytes. Each penalty that begins is logged and counted once.
    func noteUnsolicited(now: NIODeadline) {
        let seconds = penalty.withLock { penalty in
            let seconds = penalty.offend(now: now)
            trustedFrom.store(penalty.trustedFrom?.uptimeNanoseconds ?? 0, ordering: .releasing)
            return seconds
        }
        guard let seconds else { return }
        Counter(
            label: "upstream_desynchronised_total", dimensions: [("service", service), ("endpoint", "\(address)")]
        ).increment()
        logger.warning(
            "upstream.desynchronised",
            metadata: [
                "service": "\(service)", "endpoint": "\(address)",
                "seconds.without_keep_alive": .stringConvertible(seconds),
            ])
    }
}
