import FoundationEssentials

extension WordedDate {
    /// Reads a date of HTTP, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
    ///
    /// - Returns: Unix time in seconds, or `nil` for any other text.
    package static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: parts[2]),
            let day = Int(parts[1]), (1...31).contains(day), let year = Int(parts[3]), (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        let iso =
            "\(year)-\(padded(month + 1))-\(padded(day))T\(padded(clock[0])):\(padded(clock[1])):\(padded(min(clock[2], 59)))Z"
        do { return Int64(try Date(iso, strategy: .iso8601).timeIntervalSince1970) } catch { return nil }
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
