import Foundation
import Testing

@testable import Policies

/// The color and the logo by which pages and mails look like a part of the app.
@Suite struct AppLookTests {
    @Test(
        arguments: [
            ("#1a56db", "#ffffff"), ("#FFD700", "#000000"), ("#000000", "#ffffff"), ("#ffffff", "#000000"),
            ("#008000", "#ffffff"), ("#ff0000", "#000000"),
        ])
    func `text on the color is black or white, whichever contrasts more`(hex: String, text: String) throws {
        let accent = try #require(AccentColor(hex: hex))
        #expect(accent.css == hex.lowercased() && accent.textCSS == text)
    }

    @Test(arguments: ["1a56db", "#1a56d", "#1a56dbff", "#1a56dg", "blue", "", "#+12345", "#１２３"])
    func `anything but #rrggbb is no color`(text: String) { #expect(AccentColor(hex: text) == nil) }

    private func logo(_ name: String, _ content: [UInt8]) throws -> LogoImage {
        let folder = FileManager.default.temporaryDirectory.appending(path: "logo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        try Data(content).write(to: folder.appending(path: name))
        return try LogoImage.load(name, directory: folder.path, policy: "p.yaml")
    }

    private static let svg = Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    @Test func `a logo is inside the page`() throws {
        #expect(try logo("a.svg", Self.svg).url == "data:image/svg+xml;base64," + Data(Self.svg).base64EncodedString())
        #expect(try logo("a.png", Self.png).url.hasPrefix("data:image/png;base64,iVBORw0KGgo"))
    }

    @Test(arguments: [
        ("a.png", svg), ("a.svg", png), ("a.svg", svg + Array(repeating: 0x20, count: 32_768)), ("a.svg", []),
    ])
    func `a file that is no logo stops the start`(name: String, content: [UInt8]) {
        #expect(throws: PolicyError.self) { try logo(name, content) }
    }

    @Test(arguments: ["logo.gif", "../logo.svg", ".svg", "a/b.svg", "logo svg.svg", "logo.svg.exe"])
    func `a logo is a file beside the policy`(name: String) {
        #expect(throws: PolicyError.self) {
            try PolicyText.parse(PolicyText.minimal + "apps: { logo: \"\(name)\" }\n")
        }
    }
}
