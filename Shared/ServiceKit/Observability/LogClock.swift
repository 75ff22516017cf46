import FoundationEssentials

/// The time in the form that log lines have: UTC to the millisecond (RFC 3339 §5.6).
enum LogClock {
    private static let seconds = SecondText { second in
        String(Date(timeIntervalSince1970: Double(second)).formatted(.iso8601).dropLast())
    }

    /// Returns the text of a time in milliseconds since 1970.
    static func text(_ milliseconds: Int64 = UnixTime.milliseconds()) -> String {
        let (second, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return "\(seconds[second]).\(String(1000 + rest.magnitude).dropFirst())Z"
    }
}
