import Foundation
import Testing

@testable import Policies

/// Local times as other programs compute them from the same database.
@Suite struct LocalTimeZoneTests {
    private static let zones = [
        "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Nuuk", "Africa/Casablanca",
        "Asia/Gaza", "America/Sao_Paulo", "Pacific/Apia", "Etc/GMT+5", "Antarctica/Troll",
    ]

    @Test(arguments: zones)
    func `each zone's times are those of date(1)`(name: String) throws {
        let zone = try #require(LocalTimeZone(named: name))
        // Every 23 days and 7 hours from 1990 to 2060, beyond the changes that files list.
        let seconds = stride(from: Int64(631_152_000), to: 2_840_140_800, by: 23 * 86_400 + 25_200)
        let expected = try Self.date(zone: name, seconds.map { "@\($0)" })
        #expect(seconds.map { "\(zone.minute($0).prefix(16))" } == expected)
    }

    @Test func `a minute names its zone`() throws {
        #expect(LocalTimeZone.utc.minute(1_782_223_500) == "2026-06-23 14:05 UTC")
        #expect(
            try #require(LocalTimeZone(named: "Europe/Berlin")).minute(1_782_223_500)
                == "2026-06-23 16:05 (Europe/Berlin)")
        #expect(LocalTimeZone(named: "UTC") == .utc)
    }

    @Test(arguments: [
        "", "Europe/Berln", "../../etc/passwd", "/etc/localtime", "Europe", "tzdata.zi", "a\0b", "Europe//Berlin",
    ])
    func `what is no zone is nil`(name: String) {
        #expect(LocalTimeZone(named: name) == nil)
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", 1_782_223_500, 7_200), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_798_000_000, 3_600),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 1_798_000_000, 39_600), ("<-03>3", 0, -10_800),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_782_223_500, -3_600),
    ])
    func `yearly rules hold north and south of the equator`(rule: String, second: Int64, offset: Int64) throws {
        #expect(try #require(YearlyTimeZoneRule(rule)).offsetSeconds(at: second) == offset)
    }

    @Test(arguments: [
        "", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,J60,J300", "CET-1CEST,M13.5.0,M10.5.0", "<+03-3",
    ])
    func `a rule of another form is nil`(rule: String) {
        #expect(YearlyTimeZoneRule(rule) == nil)
    }

    @Test func `no cut of a file is read past its end`() throws {
        let file = Array(try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin")))
        for length in 0..<file.count { _ = TimeZoneRules(file: Array(file[..<length])) }
        #expect(TimeZoneRules(file: file) != nil && TimeZoneRules(file: Array(file[..<44])) == nil)
    }

    private static func date(zone: String, _ times: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/date")
        process.environment = ["TZ": zone]
        process.arguments = ["-f", "-", "+%Y-%m-%d %H:%M"]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data((times.joined(separator: "\n") + "\n").utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map(String.init)
    }
}
