import CoreMetrics
import Logging
import NIOCore
import Synchronization

/// Tells of upstreams that cannot be spoken to over TLS: each failure is counted, each kind at each address is one line a
/// minute, however many requests meet it.
final class UpstreamTLSFailures: Sendable {
    private static let lineInterval: TimeAmount = .seconds(60)
    /// Names may stand for ever new addresses.
    private static let rememberedMax = 256

    private struct Kind: Hashable {
        let address: SocketAddress
        let failure: UpstreamTLSFailure
    }

    private let service: String
    private let logger: Logger
    private let told = Mutex<[Kind: NIODeadline]>([:])

    init(service: String, logger: Logger) {
        self.service = service
        self.logger = logger
    }

    /// Takes note of why no connection came about; other reasons than TLS are passed over.
    func note(_ error: any Error, at target: UpstreamGroup.Target, now: NIODeadline) {
        guard let failure = error as? UpstreamTLSFailure else { return }
        Counter(
            label: "upstream_tls_failures_total", dimensions: [("service", service), ("reason", failure.label)]
        ).increment()
        guard isNews(Kind(address: target.address, failure: failure), now: now) else { return }
        logger.error(
            "upstream.tls_failed",
            metadata: [
                "service": "\(service)", "endpoint": "\(target.address)", "authority": "\(target.endpoint.authority)",
                "reason": "\(failure.label)",
            ])
    }

    private func isNews(_ kind: Kind, now: NIODeadline) -> Bool {
        told.withLock { told in
            if let last = told[kind], now < last + Self.lineInterval { return false }
            if told.count >= Self.rememberedMax { told = told.filter { now < $0.value + Self.lineInterval } }
            // With that many in a minute, the others are in the count alone.
            guard told.count < Self.rememberedMax else { return false }
            told[kind] = now
            return true
        }
    }
}
