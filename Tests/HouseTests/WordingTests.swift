import Foundation
import Testing

/// Comments and texts use the words of `deploy/docs/contributing/glossary.md`.
@Suite struct WordingTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// A list of passwords, not a text.
    private static let passwords = "Shared/CommonPasswordList/CommonPasswordList.swift"

    @Test(arguments: ["Services", "Shared"])
    func `product code uses no refused words`(_ folder: String) throws {
        #expect(try Self.refused(in: folder, literals: true) == [])
    }

    /// String literals of tests may quote what clients send.
    @Test func `comments of tests use no refused words`() throws {
        #expect(try Self.refused(in: "Tests", literals: false) == [])
    }

    @Test func `the glossary has the refused words in bold, and no others`() throws {
        let page = try DocumentPage(path: "deploy/docs/contributing/glossary.md").text
        let bold = page.matches(of: #/\*\*([a-z ]+)\*\*/#).map { String($0.output.1) }
        #expect(bold.count == Set(bold).count && Set(bold) == Set(Wording.words))
    }

    @Test(arguments: [
        ("/// Reads what nobody wrote.", "1: \"nobody\""),
        ("let a = 1\n/// What a token is.", "2: a doc comment opens with \"What\""),
        ("/// A user.\n///\n/// Nil where there is none.", "3: a doc comment opens with \"Nil where\""),
        ("// Sent by him.", "1: \"him\""),
        ("let a = \"\"\"\n  x\n  \"\"\"\nlet b = \"the user and his mail\"", "4: \"his\""),
    ])
    func `a planted word or opening is found`(_ source: String, _ refusal: String) {
        #expect(Wording.refused(in: SourceText(swift: source), literals: true) == [refusal])
    }

    @Test func `words in code, in names and in tests' literals are let through`() {
        let source = "let his = 1\n/// The reply `barred`.\nlet a = \"barred\"\n/// Users:\n/// Those with a role."
        #expect(Wording.refused(in: SourceText(swift: source), literals: true) == [])
        #expect(Wording.refused(in: SourceText(swift: "let a = \"nobody\""), literals: false) == [])
        #expect(Wording.refused(in: SourceText(lua: "-- a\nlocal b = 'his' -- c"), literals: true) == ["2: \"his\""])
    }

    /// Every refused word of a folder's files, with file and line.
    private static func refused(in folder: String, literals: Bool) throws -> [String] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").map { "\(folder)/\($0)" }
        return try files.sorted().flatMap { file -> [String] in
            guard file.hasSuffix(".swift") || file.hasSuffix(".lua"), !file.hasPrefix("Tests/HouseTests/Wording"),
                file != passwords, !file.contains("/.build/")
            else { return [] }
            let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
            let source = file.hasSuffix(".lua") ? SourceText(lua: text) : SourceText(swift: text)
            return Wording.refused(in: source, literals: literals).map { "\(file):\($0)" }
        }
    }
}
