import FoundationEssentials

/// A time zone of the IANA database, in which mails and pages state times.
package struct LocalTimeZone: Sendable, Equatable {
    /// Coordinated Universal Time, which needs no database.
    package static let utc = LocalTimeZone(name: "UTC", rules: .fixed(offsetSeconds: 0))

    private static let databaseFolder = "/usr/share/zoneinfo"
    private static let fileBytesMax = 65_536

    /// The zone's name in the database, e.g. `Europe/Berlin`.
    package let name: String
    private let rules: TimeZoneRules

    private init(name: String, rules: TimeZoneRules) { (self.name, self.rules) = (name, rules) }

    /// Reads a zone from the system's database, or returns `nil` if the zone or the database does not exist.
    package init?(named name: String, folder: String = Self.databaseFolder) {
        guard name != Self.utc.name else {
            self = .utc
            return
        }
        guard Self.isName(name), let file = FileManager.default.contents(atPath: "\(folder)/\(name)"),
            file.count <= Self.fileBytesMax, let rules = TimeZoneRules(file: Array(file))
        else { return nil }
        self.init(name: name, rules: rules)
    }

    /// Whether a text has the form of a zone's name. A name never leads out of the database's folder.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
                part.utf8.first.map { $0.isASCIIWordByte } ?? false
                    && part.utf8.allSatisfy { $0.isASCIIWordByte || $0 == 0x2B || $0 == 0x2D }
            }
    }

    /// The local day of a time in Unix seconds, e.g. `2026-12-23`.
    package func day(_ second: Int64) -> String {
        Date(timeIntervalSince1970: Double(local(second))).formatted(.iso8601.year().month().day())
    }

    /// The local minute of a time in Unix seconds, with the zone's name: `2026-12-23 14:05 UTC`, or
    /// `2026-12-23 15:05 (Europe/Berlin)`.
    package func minute(_ second: Int64) -> String {
        let local = local(second)
        let (hour, minute) = (local / 3_600 % 24, local / 60 % 60)
        let clock = "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
        return "\(day(second)) \(clock) \(self == .utc ? name : "(\(name))")"
    }

    private func local(_ second: Int64) -> Int64 {
        let (local, overflow) = second.addingReportingOverflow(rules.offsetSeconds(at: second))
        return overflow ? second : max(0, local)
    }
}
