import CoreMetrics
import EdgeHTTP
import Logging
import Policies
import ServiceKit
import Synchronization

/// Notices a proxy in front of the gateway that `trustedProxies` does not list, so that all clients share one IP address.
///
/// It only tells the operator. No address is trusted for it, since any client can send `X-Forwarded-For`.
final class UntrustedProxyWatch: Sendable {
    fileprivate struct Window: Sendable {
        /// The address that has announced clients, and how often.
        var address: IPAddress?
        var count = 0
        /// The time of the last line, in Unix seconds.
        var toldAt: Int64 = .min
    }

    /// The number of requests that are judged together.
    private static let requests = 100
    /// How many of them have to come from one address.
    fileprivate static let announcedMin = 90
    fileprivate static let pauseSeconds: Int64 = 3_600

    private let total = Atomic(0)
    private let window = Mutex(Window())
    private let gauge = Gauge(label: "edge_untrusted_proxy")
    private let logger: Logger

    init(logger: Logger) {
        self.logger = logger
        gauge.record(0)
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - announcer: the peer, if it announces a client and may not.
    ///   - now: Unix time in seconds.
    func count(_ announcer: IPAddress?, now: () -> Int64 = UnixTime.seconds) {
        if let announcer { window.withLock { $0.add(announcer) } }
        guard total.wrappingAdd(1, ordering: .relaxed).newValue % Self.requests == 0 else { return }
        let found = window.withLock { $0.judged() }
        gauge.record(found == nil ? 0 : 1)
        guard let found, window.withLock({ $0.mayTell(now: now()) }) else { return }
        logger.warning(
            "edge.untrusted_proxy",
            metadata: [
                "client.address": "\(found)",
                "problem": "nearly all requests come from this address, with X-Forwarded-For, which is ignored",
                "remedy": "add the address to trustedProxies in the policy if it is your proxy",
            ])
    }
}

extension UntrustedProxyWatch.Window {
    fileprivate mutating func add(_ announcer: IPAddress) {
        // One that sends nearly all requests sends nearly all windows' first.
        if address == nil { address = announcer }
        if address == announcer { count += 1 }
    }

    /// Returns the address that has sent enough requests, and begins the next window.
    fileprivate mutating func judged() -> IPAddress? {
        defer { (address, count) = (nil, 0) }
        return count >= UntrustedProxyWatch.announcedMin ? address : nil
    }

    fileprivate mutating func mayTell(now: Int64) -> Bool {
        guard toldAt == .min || now >= toldAt + UntrustedProxyWatch.pauseSeconds || now < toldAt else { return false }
        toldAt = now
        return true
    }
}
