import CoreMetrics
import Logging
import NIOCore
import Synchronization

/// What is known of one address of an upstream as to kept connections; all event loops share it.
final class KeepAliveRecord: Sendable {
    private let service: String
    private let address: SocketAddress
    private let logger: Logger
    private let penalty = Mutex(KeepAlivePenalty())
    /// Uptime in nanoseconds from which the address is trusted in full: no lock is taken while there is nothing to judge.
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

    /// Takes note of bytes that nobody had asked for; one line and one count for each penalty that begins.
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
                "service": "\(service)", "endpoint": "\(address)", "seconds.without_keep_alive": "\(seconds)",
            ])
    }
}
