import TLSPairs

/// When a certificate is ordered.
struct RenewalRule: Sendable {
    /// The part of a lifetime, in thousandths, by which a renewal may come later than at two thirds, so that the certificates of
    /// many machines are not renewed at once.
    static let jitterRange = 0...Int64(20)

    let hosts: [String]
    /// Drawn once from `jitterRange`.
    let jitter: Int64

    /// Whether a certificate is to be ordered, in place of `pair` if there is one.
    ///
    /// - Parameter now: Unix time in seconds.
    func isDue(_ pair: TLSPair?, now: Int64) -> Bool {
        guard let pair, hosts.allSatisfy(pair.covers) else { return true }
        return now >= renewal(notBefore: pair.notBefore, notAfter: pair.notAfter)
    }

    /// Returns the time, in Unix seconds, at which a certificate with this lifetime is renewed.
    func renewal(notBefore: Int64, notAfter: Int64) -> Int64 {
        let lifetime = max(0, notAfter.subtractingReportingOverflow(notBefore).partialValue)
        return notBefore + lifetime / 3 * 2 + lifetime / 1000 * jitter
    }
}

/// The failed orders since the last certificate.
struct OrderFailures: Sendable, Equatable {
    private static let waitSeconds: Int64 = 3_600
    private static let waitSecondsMax: Int64 = 86_400

    let count: Int
    /// The time of the last one, in Unix seconds.
    let lastAt: Int64

    init(after earlier: OrderFailures?, now: Int64) {
        count = min((earlier?.count ?? 0) + 1, 1_000)
        lastAt = now
    }

    init?(text: String) {
        let numbers = text.split(whereSeparator: \.isWhitespace).map { Int64($0) }
        guard numbers.count == 2, let count = numbers[0], let lastAt = numbers[1], (1...1_000).contains(count),
            (0...Int64(UInt32.max) * 4).contains(lastAt)
        else { return nil }
        (self.count, self.lastAt) = (Int(count), lastAt)
    }

    var text: String { "\(count) \(lastAt)\n" }

    /// How long the next order waits: an hour, doubled with each failure up to a day.
    var delaySeconds: Int64 { min(Self.waitSeconds << Int64(min(count - 1, 5)), Self.waitSecondsMax) }

    /// Whether the next order has to wait. A clock that was set back does not make it wait longer.
    ///
    /// - Parameter now: Unix time in seconds.
    func holdsBack(now: Int64) -> Bool { now < lastAt + delaySeconds && now >= lastAt - delaySeconds }
}
