import Glibc
import Synchronization

/// A time zone of the IANA database, in which mails and pages state times. The C library knows its rules.
///
/// A deployment has one zone, so the process's variable `TZ` is set when the policy's texts are read at the start, and stays as it
/// is.
package struct LocalTimeZone: Sendable, Equatable {
    /// Coordinated Universal Time, which needs no database.
    package static let utc = LocalTimeZone(known: "UTC")

    private static let databaseFolder = "/usr/share/zoneinfo"
    /// The zone whose rules the C library has loaded.
    private static let loaded = Mutex<LocalTimeZone?>(nil)

    /// The zone's name in the database, e.g. `Europe/Berlin`.
    package let name: String

    private init(known name: String) { self.name = name }

    /// Finds a zone in the system's database, or returns `nil` if the zone or the database does not exist.
    package init?(named name: String) {
        self.init(known: name)
        guard self != .utc else { return }
        guard Self.isName(name), Self.isZone("\(Self.databaseFolder)/\(name)") else { return nil }
        Self.loaded.withLock { load(into: &$0) }
    }

    /// Whether a file begins as the files of zones do (RFC 9636). The C library takes any other file for UTC.
    private static func isZone(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var start = [UInt8](repeating: 0, count: 4)
        return unsafe read(descriptor, &start, start.count) == start.count && start == Array("TZif".utf8)
    }

    private func load(into loaded: inout LocalTimeZone?) {
        guard loaded != self else { return }
        unsafe setenv("TZ", self == .utc ? "UTC0" : ":\(Self.databaseFolder)/\(name)", 1)
        tzset()
        loaded = self
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
    package func day(_ second: Int64) -> String { local(second).day }

    /// The local minute of a time in Unix seconds, with the zone's name: `2026-12-23 14:05 UTC`, or
    /// `2026-12-23 15:05 (Europe/Berlin)`.
    package func minute(_ second: Int64) -> String {
        let local = local(second)
        return "\(local.day) \(local.clock) \(self == .utc ? name : "(\(name))")"
    }

    private func local(_ second: Int64) -> (day: String, clock: String) {
        var time = time_t(second)
        var parts = unsafe tm()
        Self.loaded.withLock { loaded in
            load(into: &loaded)
            _ = unsafe localtime_r(&time, &parts)
        }
        let year = unsafe Int64(parts.tm_year) + 1900
        let numbers = unsafe [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min]
        let texts = numbers.map { Int64($0).twoDigits }
        return ("\(year)-\(texts[0])-\(texts[1])", "\(texts[2]):\(texts[3])")
    }
}
