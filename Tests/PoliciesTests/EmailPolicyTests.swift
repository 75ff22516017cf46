import Foundation
import Policies
import Testing

@Suite struct EmailPolicyTests {
    @Test func `without a section nobody signs in by mail`() throws {
        #expect(try PolicyText.parse(PolicyText.minimal).email == nil)
        #expect(try PolicyText.parse(PolicyText.minimal + "email: none\n").email == nil)
    }

    @Test func `an empty section has the defaults`() throws {
        let email = try #require(try PolicyText.parse(PolicyText.minimal + "email: {}\n").email)
        #expect(email == EmailPolicy())
        #expect(email.codes.lifetimeSeconds == 600)
        #expect(email.codes.sendsPerRecipient == [RateLimit(max: 5, windowSeconds: 3_600)])
        #expect(email.codes.sendsPerPrefix.isEmpty && email.codes.sendsPerCountry.isEmpty)
    }

    @Test(arguments: [
        "lifetimeSeconds: 59", "lifetimeSeconds: 601", "sendsPerPhone: []", "sendsPerPrefix: []", "message: x",
        "fixedCode: { code: \"123456\", environments: [uat] }", "linkURL: ftp://a.example",
        "linkURL: https://a.example?x=1",
    ])
    func `what is a phone's, or out of range, is refused by name`(_ line: String) throws {
        let findings = PolicyText.findings(PolicyText.minimal + "email: { \(line) }\n")
        #expect(findings.count == 1)
        #expect(findings.first?.contains("email.\(line.prefix { $0 != ":" })") == true, "\(findings)")
    }

    @Test(arguments: [
        "https://auth.example.com", "https://auth.example.com:8443/base", "http://localhost:8080",
        "http://10.0.2.2:8080",
        "http://192.168.1.7", "http://mac.local:8080", "http://[::1]:8080",
    ])
    func `a public URL is https, or local outside production`(_ text: String) throws {
        let url = try #require(PublicURL(text))
        #expect(url.problem(in: .development) == nil)
        #expect((url.problem(in: .production) == nil) == text.hasPrefix("https://"))
    }

    @Test(arguments: ["http://auth.example.com", "http://8.8.8.8", "http://local"])
    func `http that leaves the desk is refused everywhere`(_ text: String) throws {
        #expect(try #require(PublicURL(text)).problem(in: .development) != nil)
    }

    @Test(arguments: [
        "", "https://", "auth.example.com", "ftp://a", "https://a b", "https://a?x=1", "https://a#x", "https://é",
    ])
    func `what is no URL is none`(_ text: String) { #expect(PublicURL(text) == nil) }

    @Test func `a slash at the end is not doubled in links`() {
        #expect(PublicURL("https://a.example/")?.text == "https://a.example")
    }

    // MARK: - Texts

    @Test func `the languages that ship say everything, Arabic from the right`() throws {
        let folder = PolicyText.policiesDirectory()
        let catalog = try MessageCatalog.load(try Policy.load(named: "howru", directory: folder), directory: folder)
        #expect(catalog.texts(for: ["ar-EG"]).texts.direction == .rightToLeft)
        #expect(catalog.texts(for: ["xx", "DE_at"]).locale == "de")
        #expect(catalog.texts(for: []).texts.letter.subject == "{code} is your {app} code")
    }

    @Test func `a file with a fault, and a language that is missing, stop the start`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/latchkey-texts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/messages", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let policy = try PolicyText.parse(PolicyText.minimal + "email: {}\nmessages: { locale: fr }\n")
        #expect(throws: PolicyError.self) { try MessageCatalog.load(policy, directory: folder) }
        try "direction: up\n".write(toFile: folder + "/messages/fr.yaml", atomically: true, encoding: .utf8)
        let error = #expect(throws: PolicyError.self) { try MessageCatalog.load(policy, directory: folder) }
        let text = error.map { $0.findings.map(\.description).joined() } ?? ""
        #expect(text.contains("fr.yaml") && text.contains("direction") && text.contains("letter"), "\(text)")
    }

    @Test func `passwords need a language's own words about accounts, nobody else does`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/latchkey-texts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/messages", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let english = try String(contentsOfFile: PolicyText.policiesDirectory() + "/messages/en.yaml", encoding: .utf8)
        let old = try #require(english.components(separatedBy: "accounts:\n").first)
        try old.write(toFile: folder + "/messages/en.yaml", atomically: true, encoding: .utf8)
        let mail = try PolicyText.parse(PolicyText.minimal + "email: {}\n")
        #expect(try MessageCatalog.load(mail, directory: folder).texts(for: []).texts.accounts == nil)
        let passwords = try PolicyText.parse(PolicyText.minimal + "passwords: {}\n")
        let error = #expect(throws: PolicyError.self) { try MessageCatalog.load(passwords, directory: folder) }
        #expect(error?.findings.first?.description.contains("en lack the section accounts") == true)
    }

    @Test(arguments: [
        ("https://a.example/x/y", "https://a.example"), ("http://[::1]:8080/", "http://[::1]:8080"),
        ("https://a.example", "https://a.example"),
    ])
    func `a URL's origin is all before its path`(_ text: String, _ origin: String) throws {
        #expect(try #require(PublicURL(text)).origin == origin)
    }
}
