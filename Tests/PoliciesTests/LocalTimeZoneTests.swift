import Foundation
import Testing

@testable import Policies

/// Local times as other programs compute them from the same database. Zones take turns, since a process has one.
@Suite(.serialized) struct LocalTimeZoneTests {
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
