import Foundation
import Testing

@testable import Policies

/// The JSON Schema, the reference and the comments of howru.yaml are what the keys make.
///
/// `LATCHKEY_WRITE_GOLDEN=1` writes them again.
@Suite(.serialized) struct PolicyDocumentTests {
    private static let folder = PolicyText.policiesDirectory()
    private static let writes = ProcessInfo.processInfo.environment["LATCHKEY_WRITE_GOLDEN"] == "1"

    /// Compares a file with its text, or writes it.
    private static func listed(_ path: String, _ text: (String) throws -> String) throws -> Bool {
        let before =
            FileManager.default.fileExists(atPath: path) ? try String(contentsOfFile: path, encoding: .utf8) : ""
        let now = try text(before)
        if writes { try now.write(toFile: path, atomically: true, encoding: .utf8) }
        return writes || now == before
    }

    @Test func `the JSON Schema is up to date`() throws {
        #expect(try Self.listed(Self.folder + "/policy.schema.json") { _ in try PolicySchema.text() })
    }

    @Test func `the reference has all keys`() throws {
        let (opening, closing) = ("<!-- keys -->\n", "<!-- end of keys -->")
        let page = Self.folder.replacing("/policies", with: "/docs/reference/policy.md")
        let isListed = try Self.listed(page) { text in
            let start = try #require(text.firstRange(of: opening)).upperBound
            let end = try #require(text.firstRange(of: closing)).lowerBound
            return text.replacingCharacters(in: start..<end, with: "\n" + PolicyReference.tables())
        }
        #expect(isListed)
    }

    @Test func `the comments of howru are up to date, and it has all keys`() throws {
        var comments = PolicyComments()
        #expect(try Self.listed(Self.folder + "/howru.yaml") { comments.rewrite($0) })
        for path in Self.paths(PolicyReference.keys) { #expect(comments.keyPaths.contains(path), "\(path)") }
    }

    /// The key paths of a file, without those of limits and of sections that repeat another one.
    private static func paths(_ keys: [KeyDescription], _ before: String = "") -> [String] {
        keys.flatMap { key -> [String] in
            guard let (inner, infix) = PolicyReference.inside(key.kind) else { return [before + key.name] }
            if inner.allSatisfy(\.isRequired) || before + key.name == "dialects[].otp" {
                return [before + key.name + (infix == "[]" ? infix : "")]
            }
            return paths(inner, before + key.name + infix + ".") + [before + key.name + (infix == "[]" ? infix : "")]
        }
    }

    @Test func `each policy that ships names the schema in its first line`() throws {
        for (folder, schema) in [("", "policy.schema.json"), ("/examples", "../policy.schema.json")] {
            for file in try FileManager.default.contentsOfDirectory(atPath: Self.folder + folder)
            where file.hasSuffix(".yaml") {
                let text = try String(contentsOfFile: "\(Self.folder)\(folder)/\(file)", encoding: .utf8)
                #expect(text.hasPrefix("# yaml-language-server: $schema=\(schema)\n"), "\(file)")
            }
        }
    }

    // MARK: - Values outside the rules

    /// The YAML of values that a kind refuses.
    private static func outside(_ kind: KeyKind) -> [String] {
        switch kind {
        case .integer(let range): ["\(range.lowerBound - 1)", "\(range.upperBound + 1)"]
        case .flag: ["maybe"]
        case .text(_, let words, let pattern): words.isEmpty && pattern == nil ? ["[]"] : ["\" \"", "[]"]
        case .list, .section, .entries: ["7"]
        case .either(_, let other): outside(other)
        case .anyOf: ["[]"]
        }
    }

    /// Each key path, and a text that has there a value that its row refuses, between what is around it.
    private static func probes(
        _ keys: [KeyDescription], _ path: String = "", _ around: @escaping (String) -> String = { $0 }
    ) -> [(path: String, text: String)] {
        keys.flatMap { key -> [(String, String)] in
            let here = path.isEmpty ? key.name : "\(path).\(key.name)"
            let own = outside(key.kind).map { (here, around("{ \(key.name): \($0) }")) }
            guard let (inner, infix) = PolicyReference.inside(key.kind) else { return own }
            let below = here + infix.replacing("[]", with: "[0]").replacing("NAME", with: "x")
            return own
                + probes(inner, below) { value in
                    let shaped = infix == "[]" ? "[\(value)]" : infix.isEmpty ? value : "{ x: \(value) }"
                    return around("{ \(key.name): \(shaped) }")
                }
        }
    }

    @Test func `the reader refuses each value that the schema refuses`() throws {
        let probes = Self.probes(PolicyReference.keys)
        #expect(probes.count > 200)
        for (path, text) in probes where path != "attributes[0].default" {
            let error = #expect(throws: PolicyError.self) { try PolicyText.parse(text) }
            #expect(error?.findings.contains { $0.keyPath == path } == true, "\(path): \(text)")
        }
    }
}
