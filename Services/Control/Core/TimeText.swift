import FoundationEssentials

/// Unix times in a form for the operator.
enum TimeText {
    /// Returns date and time in UTC (ISO 8601), or `-` if there is no time.
    static func text(_ seconds: Int64?) -> String {
        seconds.map { Date(timeIntervalSince1970: TimeInterval($0)).formatted(.iso8601) } ?? "-"
    }
}
