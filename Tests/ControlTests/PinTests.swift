import Foundation
import TLSPairs
import TestSupport
import Testing

@testable import ControlCore

/// `latchkeyctl tls`, against keys and pins that the `openssl` command knows.
@Suite struct PinTests {
    private let folder = FileManager.default.temporaryDirectory.path() + "latchkey-" + UUID().uuidString

    private func inFolder(_ body: (TestAuthority) async throws -> Void) async throws {
        do {
            try await body(try await TestAuthority.make(in: folder))
        } catch {
            try FileManager.default.removeItem(atPath: folder)
            throw error
        }
        try FileManager.default.removeItem(atPath: folder)
    }

    private func report(_ listed: [String] = [], backupKeys: [SPKIPin] = []) throws -> PinReport {
        PinReport(
            entries: try TLSFolder(folder + "/pairs").read(), listed: listed.compactMap(SPKIPin.init),
            backupKeys: backupKeys)
    }

    @Test func `a new key is its owner's alone, has the pin that openssl counts, and overwrites nothing`() async throws
    {
        try await inFolder { _ in
            let file = folder + "/backup.key"
            let pin = try TLSNewKey.make(file)
            #expect(try await TestCertificate.pin(of: file) == pin.description)
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(throws: CommandFailure.self) { try TLSNewKey.make(file) }
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
            #expect(try TLSNewKey.make(folder + "/another.key") != pin)
            let kind = try await Shell.run("openssl pkey -in '\(file)' -noout -text", in: "/")
            #expect(kind.output.contains("NIST CURVE: P-256"))
        }
    }

    @Test func `each certificate and each backup is a line, and every host name gets the pins of both`() async throws {
        try await inFolder { authority in
            let names = ["api.example.com", "*.example.org", "192.0.2.1"]
            let pair = try await authority.issue("pair", .init(names: names))
            try pair.place(in: folder + "/pairs", as: "default")
            let backup = try TLSNewKey.make(folder + "/backup.key")
            let report = try report([pair.pin, backup.description])
            try report.check()
            let lines = report.table.split(separator: "\n").map(String.init)
            #expect(lines.count == 3)
            #expect(lines[1].hasPrefix("default  ") && lines[1].hasSuffix("\(pair.pin)  in use"))
            #expect(lines[2].hasPrefix("-  ") && lines[2].hasSuffix("\(backup)  backup"))
            #expect(report.domains.map(\.host) == ["api.example.com", "example.org"])
            #expect(report.domains.map(\.isWildcard) == [false, true])
            #expect(report.domains.allSatisfy { $0.pins.map(\.description) == [pair.pin, backup.description] })
        }
    }

    @Test func `without a backup it fails, with a key that is kept elsewhere it does not`() async throws {
        try await inFolder { authority in
            let pair = try await authority.issue("pair")
            try pair.place(in: folder + "/pairs", as: "default")
            for listed in [[], [pair.pin]] {
                let failure = #expect(throws: CommandFailure.self) { try report(listed).check() }
                #expect(failure?.description.contains("there is no backup") == true)
            }
            try report(backupKeys: [try TLSNewKey.make(folder + "/backup.key")]).check()
            // The key in use is no backup of itself.
            let own = try SPKIPin(ofKeyPEM: Array(Data(contentsOf: URL(filePath: pair.key))))
            #expect(throws: CommandFailure.self) { try report(backupKeys: [own]).check() }
        }
    }

    @Test func `a certificate that is not listed, a broken one, and none at all are said`() async throws {
        try await inFolder { authority in
            let (pair, foreign) = (try await authority.issue("pair"), try await authority.issue("foreign"))
            try FileManager.default.createDirectory(atPath: folder + "/pairs", withIntermediateDirectories: true)
            #expect(throws: CommandFailure.self) { try report().check() }
            try pair.place(in: folder + "/pairs", as: "default")
            let backup = try TLSNewKey.make(folder + "/backup.key").description
            let failure = #expect(throws: CommandFailure.self) { try report([foreign.pin, backup]).check() }
            #expect(failure?.description.contains(pair.pin) == true)
            try Data().write(to: URL(filePath: folder + "/pairs/other.key"))
            #expect(try report([pair.pin, backup]).table.contains("refused: "))
        }
    }

    @Test func `the blocks are what the systems read`() async throws {
        try await inFolder { authority in
            let pair = try await authority.issue(
                "pair", .init(names: ["api.example.com", "*.example.org", "example.org"]))
            try pair.place(in: folder + "/pairs", as: "default")
            let backup = try TLSNewKey.make(folder + "/backup.key").description
            let domains = try report([pair.pin, backup]).domains
            let dictionary = unsafe try PropertyListSerialization.propertyList(
                from: Data("<plist version=\"1.0\"><dict>\(PinBlocks.iOS(domains))</dict></plist>".utf8), format: nil)
            let transport = (dictionary as? [String: [String: [String: [String: Any]]]])?["NSAppTransportSecurity"]
            let pinned = try #require(transport?["NSPinnedDomains"])
            #expect(pinned["api.example.com"]?["NSIncludesSubdomains"] as? Bool == false)
            #expect(pinned["example.org"]?["NSIncludesSubdomains"] as? Bool == true)
            let identities = pinned["api.example.com"]?["NSPinnedLeafIdentities"] as? [[String: String]]
            #expect(identities?.compactMap { $0["SPKI-SHA256-BASE64"] } == [pair.pin, backup])

            try PinBlocks.android(domains).write(toFile: folder + "/android.xml", atomically: true, encoding: .utf8)
            let android = try await Shell.run(
                """
                python3 - <<'END'
                import xml.etree.ElementTree as xml
                path = "domain-config[domain='api.example.com']/pin-set/pin"
                root = xml.parse("android.xml").getroot()
                print(*[pin.text for pin in root.iterfind(path)])
                print(*sorted(domain.text for domain in root.iter("domain")))
                END
                """, in: folder)
            #expect(android.output == "\(pair.pin) \(backup)\napi.example.com example.org\n")
            #expect(PinBlocks.iOS(domains).components(separatedBy: "<key>example.org</key>").count == 2)
            let okHTTP = PinBlocks.okHTTP(domains)
            #expect(okHTTP.contains(".add(\"api.example.com\", \"sha256/\(pair.pin)\", \"sha256/\(backup)\")"))
            #expect(okHTTP.contains(".add(\"*.example.org\", ") && okHTTP.contains(".add(\"example.org\", "))
        }
    }
}
