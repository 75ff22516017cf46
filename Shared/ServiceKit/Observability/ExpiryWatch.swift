import CoreMetrics
package import Logging
import Synchronization

/// Reports until when each certificate is valid, and warns once a day of those that are about to expire.
package final class ExpiryWatch: Sendable {
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

    package init() {}

    /// - Parameters:
    ///   - ends: the last Unix second in which each certificate is valid, by its name.
    ///   - now: the time in Unix seconds.
    package func look(at ends: [String: Int64], now: Int64, logger: Logger) {
        show(ends)
        for (name, end) in ends.sorted(by: { $0.key < $1.key }) where isDue(name, end, now: now) {
            warn(of: name, end, now: now, logger: logger)
        }
    }

    /// Reports the expiry of the certificates that are served. One that is no longer served is removed, since its expiry needs no
    /// action.
    private func show(_ ends: [String: Int64]) {
        state.withLock { state in
            let names = Set(ends.keys)
            for name in state.names.subtracting(names) { Self.gauge(of: name).destroy() }
            for (name, end) in ends { Self.gauge(of: name).record(end) }
            state.names = names
        }
    }

    private static func gauge(of name: String) -> Gauge {
        Gauge(label: "tls_certificate_not_after_seconds", dimensions: [("name", name)])
    }

    private func isDue(_ name: String, _ end: Int64, now: Int64) -> Bool {
        guard end - now <= Self.warningSeconds else { return false }
        return state.withLock { state in
            let key = "\(end) \(name)"
            if let last = state.warnedAt[key], now - last < Self.repeatSeconds { return false }
            // Without this, the entries of certificates that are gone would stay for ever.
            state.warnedAt = state.warnedAt.filter { now - $0.value < Self.repeatSeconds }
            state.warnedAt[key] = now
            return true
        }
    }

    private func warn(of name: String, _ end: Int64, now: Int64, logger: Logger) {
        let isOver = now > end
        logger.log(
            level: isOver ? .error : .warning, isOver ? "tls.expired" : "tls.expiring",
            metadata: [
                "name": "\(name)", "days.left": .stringConvertible((end - now) / 86_400),
                "not.after": .stringConvertible(end),
            ])
    }
}
