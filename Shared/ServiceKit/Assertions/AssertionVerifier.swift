package import CryptoPrimitives

/// Why an assertion is refused; for the log and a metric, the caller hears only that it was.
package enum AssertionRefusal: String, Error, Sendable, CaseIterable {
    case missing, malformed, unknownCaller, unknownKey, forged, stale, olderThanProcess, replayed
}

/// Checks the assertions that a service receives (security guide section 1, R-100).
package final class AssertionVerifier: Sendable {
    /// Furthest that caller's and service's clocks may be apart, either way.
    package static let skewMillisecondsMax: Int64 = 30_000

    private let service: String
    private let keys: [Caller: KeyRing]
    private let startedAt: Int64
    private let nonces: NonceMemory

    /// - Parameters:
    ///   - keys: the pair key of each process that may call.
    ///   - startedAt: Unix time in milliseconds; earlier assertions may have been used on a predecessor, and are refused.
    package init(service: String, keys: [Caller: KeyRing], startedAt: Int64 = UnixTime.milliseconds()) {
        self.service = service
        self.keys = keys
        self.startedAt = startedAt
        nonces = NonceMemory(lifetimeMilliseconds: 2 * Self.skewMillisecondsMax)
    }

    /// Who made the request that carries `header`; the same assertion is good once.
    package func verify(
        _ header: String?, method: String, path: String, body: [UInt8], now: Int64 = UnixTime.milliseconds()
    ) throws(AssertionRefusal) -> Caller {
        guard let header else { throw .missing }
        guard let assertion = Assertion(parsing: header) else { throw .malformed }
        guard let caller = Caller(rawValue: assertion.caller), let ring = keys[caller] else { throw .unknownCaller }
        guard let key = ring[assertion.keyID] else { throw .unknownKey }
        let message = Assertion.message(
            caller: assertion.caller, service: service, time: assertion.time, nonce: assertion.nonce, method: method,
            path: path, body: body)
        guard key.hmac.isValid(assertion.code, for: message) else { throw .forged }
        let tolerated = now - Self.skewMillisecondsMax...now + Self.skewMillisecondsMax
        guard tolerated.contains(assertion.time) else { throw .stale }
        guard assertion.time >= startedAt else { throw .olderThanProcess }
        guard nonces.insert(assertion.nonce, now: now) else { throw .replayed }
        return caller
    }
}
