import ServiceKit

/// The pause that a 503 requests (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// Returns the seconds that a 503 states as a number or as a date; `nil` for any other response.
    ///
    /// A date counts from the response's own `Date`, so that the clocks need not agree; without one, from `second`.
    /// - Parameter second: the current Unix time, which is read only for a date.
    static func seconds(in head: ResponseHead, at second: @autoclosure () -> Int64 = UnixTime.seconds()) -> Int64? {
        guard head.status == 503, let value = text("retry-after", head) else { return nil }
        if value.utf8.allSatisfy(ByteClass.isDigit) {
            // More digits than fit are a long time.
            return value.isEmpty ? nil : Int64(value) ?? .max
        }
        guard let end = WordedDate.seconds(value) else { return nil }
        return end - (text("date", head).flatMap(WordedDate.seconds) ?? second())
    }

    private static func text(_ name: StaticString, _ head: ResponseHead) -> String? {
        head.block.values(name).first.map(head.block.text)
    }
}
