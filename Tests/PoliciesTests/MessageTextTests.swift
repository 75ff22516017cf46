import Foundation
import Policies
import Testing

/// The texts of a language are read by rows: every one that is wrong or missing is printed, all at once.
@Suite struct MessageTextTests {
    private static let optional = ["sms", "letter.codeExpiry", "page.returnAdvice", "accounts.resetPage.rules"]

    /// The lines of the English file with a text, by their numbers, and the key path of each.
    private let texts: [(line: Int, keyPath: String)]
    private let lines: [String]

    init() throws {
        let file = PolicyText.policiesDirectory() + "/messages/en.yaml"
        lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
        var (path, texts): ([String], [(Int, String)]) = ([], [])
        for (index, line) in lines.enumerated() where !line.hasPrefix("#") && line.contains(":") {
            path =
                path.prefix(line.prefix { $0 == " " }.count / 2) + [
                    String(line.drop { $0 == " " }.prefix { $0 != ":" })
                ]
            if line.contains(": \"") { texts.append((index + 1, path.joined(separator: "."))) }
        }
        self.texts = texts
    }

    /// The findings for the English file after a change of each of its texts' lines.
    private func findings(_ change: (String) -> String) throws -> [PolicyError.Finding] {
        let folder = FileManager.default.temporaryDirectory.path + "/latchkey-texts-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/messages", withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(atPath: folder) } catch { print("scratch folder stays: \(folder)") }
        }
        let numbers = Set(texts.map(\.line))
        let text = lines.enumerated().map { numbers.contains($0.offset + 1) ? change($0.element) : $0.element }
        try text.joined(separator: "\n").write(toFile: folder + "/messages/en.yaml", atomically: true, encoding: .utf8)
        let policy = try PolicyText.parse(PolicyText.minimal + "email: {}\n")
        let error = #expect(throws: PolicyError.self) { try MessageCatalog.load(policy, directory: folder) }
        return error?.findings ?? []
    }

    @Test func `the file that ships has many texts`() {
        #expect(texts.count > 80)
        #expect(Set(Self.optional).isSubset(of: texts.map(\.keyPath)))
    }

    @Test(arguments: ["\"\"", "\"a\\u0007b\"", "\"\(String(repeating: "x", count: 301))\"", "[]", "{}"])
    func `a wrong text is printed with its line, its key and its rule`(wrong: String) throws {
        let found = try findings { String($0.prefix { $0 != ":" }) + ": " + wrong }
        #expect(found.map { "\($0.line ?? 0) \($0.keyPath)" } == texts.map { "\($0.line) \($0.keyPath)" })
        if wrong.hasPrefix("\"") {
            for finding in found { #expect(finding.message.contains("characters on one line"), "\(finding)") }
        }
    }

    @Test func `a missing text is printed, unless it may be missing, and so is a key that nobody reads`() throws {
        let found = try findings { $0.prefix { $0 == " " } + "other" + $0.drop { $0 == " " } }
        let required = texts.map(\.keyPath).filter { !Self.optional.contains($0) }
        #expect(Set(found.filter { $0.message.hasPrefix("is missing") }.map(\.keyPath)) == Set(required))
        #expect(found.count == required.count + texts.count)
    }
}
