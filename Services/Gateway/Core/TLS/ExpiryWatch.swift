import CoreMetrics
import Logging
import Synchronization
import TLSPairs

/// Shows until when each certificate is valid, and warns once a day of those that are about to expire.
final class ExpiryWatch: Sendable {
    /// A renewal that works has come long before: certbot's and lego's usual time is 30 days.
    static let warningSeconds: Int64 = 14 * 86_400
    private static let repeatSeconds: Int64 = 86_400

    private struct State: Sendable {
        /// Names whose end is shown.
        var names: Set<String> = []
        /// By name and end: what replaces a certificate is warned of for itself.
        var warnedAt: [String: Int64] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter now: Unix seconds.
    func look(at pairs: [TLSPair], now: Int64, logger: Logger) {
        show(pairs)
        for pair in pairs where isDue(pair, now: now) { warn(of: pair, now: now, logger: logger) }
    }

    /// What is served no more is shown no more: its end would come, and nobody could do anything about it.
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
            // Those of certificates that are gone would stay for ever.
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
                "name": "\(pair.name)", "days.left": "\((pair.notAfter - now) / 86_400)",
                "not.after": "\(pair.notAfter)",
            ])
    }
}
