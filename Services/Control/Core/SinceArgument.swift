import ArgumentParser
import FoundationEssentials
import ServiceKit

/// The beginning of a period: a day or a time in UTC, or an age such as `2h`.
struct SinceArgument: ExpressibleByArgument, Equatable {
    /// The beginning in Unix seconds.
    let second: Int64

    private static let unitSeconds: [Character: Int64] = ["m": 60, "h": 3_600, "d": 86_400]

    init?(argument: String) { self.init(argument, now: UnixTime.seconds()) }

    init?(_ text: String, now: Int64) {
        if let unit = text.last.flatMap({ Self.unitSeconds[$0] }), let count = UInt16(text.dropLast()) {
            second = now - Int64(count) * unit
            return
        }
        let isDay = text.utf8.count == 10
        do {
            let date = try Date(isDay ? text + "T00:00:00Z" : text, strategy: .iso8601)
            guard let second = Int64(exactly: date.timeIntervalSince1970.rounded()) else { return nil }
            self.second = second
        } catch { return nil }
    }
}
