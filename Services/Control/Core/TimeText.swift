import FoundationEssentials

/// Unix times in a form for the operator.
enum TimeText {
    /// Returns date and time in UTC (ISO 8601), or `-` if there is no time.
    static func text(_ seconds: Int64?) -> String {
        seconds.map { Date(timeIntervalSince1970: TimeInterval($0)).formatted(.iso8601) } ?? "-"
    }

    /// Returns a span of time in its largest unit that is not below 1, rounded up: `25 h`.
    static func span(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400, "d"), (3_600, "h"), (60, "min")]
        // Hours up to two days, since "2 d" for 25 hours says too little.
        guard let unit = units.first(where: { seconds >= ($0.1 == "d" ? 2 : 1) * $0.0 }) else { return "\(seconds) s" }
        return "\(seconds / unit.0 + (seconds % unit.0 > 0 ? 1 : 0)) \(unit.1)"
    }
}
