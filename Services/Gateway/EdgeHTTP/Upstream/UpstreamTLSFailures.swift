import CoreMetrics
import Logging
import NIOCore
import Synchronization

/// Reports upstreams with which TLS fails. Each failure is counted. Each kind at each address is logged once a minute, however many
/// requests meet it.
final class UpstreamTLSFailures: Sendable {
    private static let lineInterval: TimeAmount = .seconds(60)
    /// The greatest number of kinds remembered, since names may have ever new addresses.
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

    /// Notes the reason why no connection was made; reasons other than TLS are ignored.
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
            // With that many in a minute, further ones are only counted.
            guard told.count < Self.rememberedMax else { return false }
            told[kind] = now
            return true
        }
    }
}
