import CoreMetrics
import Logging
import Synchronization
import TLSPairs

/// Reports until when each certificate is valid, and warns once a day of those that are about to expire.
final class ExpiryWatch: Sendable {
    /// The time before expiry at which warnings start. A renewal that works has happened long before: certbot and lego usually
    /// renew 30 days ahead.
    static let warningSeconds: Int64 = 14 * 86_400
    private static let repeatSeconds: Int64 = 86_400

    private struct State: Sendable {
        /// The names whose expiry is reported.
        var names: Set<String> = []
        /// The time of the last warning by name and expiry, so that a replacement is warned of separately.
        var warnedAt: [String: Int64] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter now: the time in Unix seconds.
    func look(at pairs: [TLSPair], now: Int64, logger: Logger) {
        show(pairs)
        for pair in pairs where isDue(pair, now: now) { warn(of: pair, now: now, logger: logger) }
    }

    /// Reports the expiry of the certificates that are served. One that is no longer served is removed, since its expiry needs no
    /// action.
    private func show(_ pairs: [TLSPair]) {
        state.withLock { state in
            let names = Set(pairs.map(\.name))
            for name in state.names.subtracting(names) { Self.gauge(of: name).destroy() }
            for pair in pairs { Self.gauge(of: pair.name).record(pair.notAfter) }
            state.names = names
        }
    }

    private static func gauge(of name: String) -> Gauge {
        Gauge(label: "tls_certificate_not_after_seconds", dimensions: [("name", name)])
    }

    private func isDue(_ pair: TLSPair, now: Int64) -> Bool {
        guard pair.notAfter - now <= Self.warningSeconds else { return false }
        return state.withLock { state in
            let key = "\(pair.notAfter) \(pair.name)"
            if let last = state.warnedAt[key], now - last < Self.repeatSeconds { return false }
            // Without this, the entries of certificates that are gone would stay for ever.
            state.warnedAt = state.warnedAt.filter { now - $0.value < Self.repeatSeconds }
            state.warnedAt[key] = now
            return true
        }
    }

    private func warn(of pair: TLSPair, now: Int64, logger: Logger) {
        let isOver = pair.isExpired(now: now)
        logger.log(
            level: isOver ? .error : .warning, isOver ? "tls.expired" : "tls.expiring",
            metadata: [
                "name": "\(pair.name)", "days.left": .stringConvertible((pair.notAfter - now) / 86_400),
                "not.after": .stringConvertible(pair.notAfter),
            ])
    }
}
