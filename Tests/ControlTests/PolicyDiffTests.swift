import Foundation
import TestSupport
import Testing

@testable import ControlCore

@Suite struct PolicyDiffTests {
    private static let variables = ["LATCHKEY_POLICIES_DIR": LatchkeyStack.root + "deploy/policies"]

    /// The differences of howru and a copy of it with another text in place of one.
    private static func lines(_ old: String, _ new: String) throws -> [String] {
        let text = try String(contentsOfFile: LatchkeyStack.root + "deploy/policies/howru.yaml", encoding: .utf8)
        #expect(text.contains(old))
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).yaml")
        try text.replacing(old, with: new).write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        return try PolicyDiff.lines("howru", file.path, variables: variables)
    }

    @Test(arguments: [
        ("  length: 6", "  length: 6", []), ("  length: 6", "  length: 8", ["otp.length: 6 → 8"]),
        ("  graceDays: 30", "", []), ("  graceDays: 30", "  graceDays: 0", ["deletion.graceDays: 30 → 0"]),
        (
            "cors: none", "cors: { origins: [\"https://a.example\"], allowHeaders: [Date], exposeHeaders: [] }",
            [
                "cors.origins: none → [\"https://a.example\"]", "cors.credentials: none → false",
                "cors.maxAgeSeconds: none → 600", "cors.allowHeaders: none → [Date]", "cors.exposeHeaders: none → []",
            ]
        ),
        ("    profile: mobile", "    profile: mobile\n    otp: { length: 7 }", ["dialects[0].otp.length: none → 7"]),
        (
            "    access: bearer", "    access: { role: [admin] }",
            ["routes[0].access: bearer → none", "routes[0].access.role: none → [admin]"]
        ),
    ])
    func `each key that differs is a line, with both values`(_ old: String, _ new: String, _ lines: [String]) throws {
        #expect(try Self.lines(old, new) == lines)
    }

    @Test func `policies that ship differ, and not from themselves`() throws {
        #expect(try PolicyDiff.lines("starter", "starter", variables: Self.variables).isEmpty)
        let lines = try PolicyDiff.lines("starter", "howru", variables: Self.variables)
        #expect(
            lines.first == "issuer: latchkey → howru.app")
    }

    @Test func `codes are hidden, and only that they differ is shown`() throws {
        let line = { (code: String) in "  fixedCode: { code: \"\(code)\", environments: [uat] }\n  length: 6" }
        #expect(
            try Self.lines("  length: 6", line("135790")) == [
                "otp.fixedCode.code: none → (hidden)", "otp.fixedCode.environments: none → [uat]",
            ])
    }

    @Test func `a list that gets its first section is in the lines of the section only`() throws {
        let lines = try PolicyDiff.lines("starter", "howru", variables: Self.variables)
        #expect(lines.filter { $0.hasPrefix("attributes") }.first == "attributes[0].name: none → isChecker")
    }

    @Test func `a wrong policy is refused as by check`() throws {
        let error = #expect(throws: CommandFailure.self) { try Self.lines("  length: 6", "  length: 4") }
        #expect(error?.description.contains("otp.length: 4 is not allowed. Use 6 to 8.") == true)
    }
}
