import CoreMetrics
import Logging
import NIOCore
import OutgoingConnections
import Synchronization

/// Reports the connections to an upstream that fail. Each failure is counted. Each kind at each address is logged once a minute,
/// however many requests meet it.
final class UpstreamFailures: Sendable {
    private static let lineInterval: TimeAmount = .seconds(60)
    /// The greatest number of kinds remembered, since names may have ever new addresses.
    private static let rememberedMax = 256

    private struct Kind: Hashable {
        /// The address, or the name without one.
        let endpoint: String
        let failure: ConnectionFailure
        var detail: String?
        var certificate: CertificateFault?
    }

    private let service: String
    private let logger: Logger
    private let counters: [ConnectionFailure: Counter]
    private let latest = Mutex<ConnectionFailure?>(nil)
    private let told = Mutex<[Kind: NIODeadline]>([:])

    init(service: String, logger: Logger) {
        self.service = service
        self.logger = logger
        counters = Dictionary(
            uniqueKeysWithValues: ConnectionFailure.allCases.map { failure in
                let labels = [("service", service), ("reason", failure.rawValue)]
                return (failure, Counter(label: "upstream_failures_total", dimensions: labels))
            })
    }

    /// Notes the reason why no connection was made.
    func note(_ error: any Error, at target: UpstreamGroup.Target, now: NIODeadline) {
        let tls = error as? UpstreamTLSFailure
        let failure = tls?.failure ?? ConnectionFailure(error, hasBegun: false) ?? .closed
        note(
            Kind(
                endpoint: "\(target.address)", failure: failure, detail: tls?.detail, certificate: tls?.certificate),
            of: target.endpoint, now: now)
    }

    /// Notes that a request got no complete response; failures for other reasons than the connection's are skipped.
    func note(_ failure: UpstreamFailure, at target: UpstreamGroup.Target, now: NIODeadline) {
        guard let connection = failure.connection else { return }
        note(Kind(endpoint: "\(target.address)", failure: connection), of: target.endpoint, now: now)
    }

    /// Notes that the name of an endpoint has no address.
    func noteUnknownName(of endpoint: UpstreamEndpoint, now: NIODeadline) {
        note(Kind(endpoint: endpoint.authority, failure: .nameNotFound), of: endpoint, now: now)
    }

    /// Returns the word for a failure of the connection, or `nil` for a failure of another kind.
    ///
    /// If no endpoint accepted a connection, it is the word of the latest failure.
    func word(for failure: UpstreamFailure) -> String? {
        guard failure == .unreachable else { return failure.connection?.rawValue }
        return (latest.withLock { $0 } ?? .refused).rawValue
    }

    private func note(_ kind: Kind, of endpoint: UpstreamEndpoint, now: NIODeadline) {
        let reason = kind.failure.rawValue
        counters[kind.failure]?.increment()
        latest.withLock { $0 = kind.failure }
        guard isNews(kind, now: now) else { return }
        var metadata: Logger.Metadata = [
            "service": "\(service)", "endpoint": "\(kind.endpoint)", "authority": "\(endpoint.authority)",
            "reason": "\(reason)",
        ]
        if let detail = kind.detail { metadata["detail"] = "\(detail)" }
        if let fault = kind.certificate { metadata["certificate"] = "\(fault.words())" }
        logger.warning("upstream.failed", metadata: metadata)
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
