import ServiceKit

/// The `Date` header (RFC 9110 section 5.6.7), made once a second.
enum HTTPDate {
    private static let texts = SecondText(text)

    /// Returns the current date.
    static func now() -> String { texts[UnixTime.seconds()] }

    /// Returns the IMF-fixdate of a time after 1970 in Unix seconds.
    static func text(_ second: Int64) -> String { WordedDate.text(second, zone: "GMT") }
}
