import CoreMetrics
import Logging
import Synchronization
import TLSPairs

/// Shows until when each certificate is valid, and warns once a day of those that are about to expire.
final class ExpiryWatch: Sendable {
    /// A renewal that works has come long before: certbot's and lego's usual time is 30 days.
    static let warningSeconds: Int64 = 14 * 86_400
    private static let repeatSeconds: Int64 = 86_400

    /// By name and end: what replaces a certificate is warned of for itself.
    private let warnedAt = Mutex<[String: Int64]>([:])

    /// - Parameter now: Unix seconds.
    func look(at pairs: [TLSPair], now: Int64, logger: Logger) {
        for pair in pairs {
            Gauge(label: "tls_certificate_not_after_seconds", dimensions: [("name", pair.name)]).record(pair.notAfter)
            if isDue(pair, now: now) { warn(of: pair, now: now, logger: logger) }
        }
    }

    private func isDue(_ pair: TLSPair, now: Int64) -> Bool {
        guard pair.notAfter - now <= Self.warningSeconds else { return false }
        return warnedAt.withLock { warnedAt in
            let key = "\(pair.notAfter) \(pair.name)"
            if let last = warnedAt[key], now - last < Self.repeatSeconds { return false }
            // Those of certificates that are gone would stay for ever.
            warnedAt = warnedAt.filter { now - $0.value < Self.repeatSeconds }
            warnedAt[key] = now
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
