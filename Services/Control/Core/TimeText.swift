import FoundationEssentials

/// Unix times as an operator reads them.
enum TimeText {
    /// Date and time in UTC (ISO 8601); `-` for none.
    static func text(_ seconds: Int64?) -> String {
        seconds.map { Date(timeIntervalSince1970: TimeInterval($0)).formatted(.iso8601) } ?? "-"
    }
}
