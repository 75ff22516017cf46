import Foundation
import Testing

/// The code stays small enough to hold in the head: each target has a number of lines that it may not exceed.
///
/// An issue that needs more raises the number in `Budgets.swift` in a commit of its own, which says why.
@Suite struct BudgetTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private static let productLinesMax = 250
    private static let testLinesMax = 450
    /// Tables of data.
    private static let tables: Set = [
        "Shared/CommonPasswordList/CommonPasswordList.swift", "Shared/PhoneNumbers/CallingCodes+Table.swift",
    ]

    private struct File {
        let path: String
        let text: String

        var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }
        /// The target's folder: two levels deep, or three below Services.
        var target: String {
            path.split(separator: "/").dropLast().prefix(path.hasPrefix("Services/") ? 3 : 2).joined(separator: "/")
        }
    }

    /// Everything in Swift, Lua and SQL.
    private static let files = Result { () throws -> [File] in
        try ["Services", "Shared", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").sorted()
                .filter { path in
                    [".swift", ".lua", ".sql"].contains { path.hasSuffix($0) } && !path.contains(".build/")
                        // Dumps that a test reads are no source.
                        && !path.hasPrefix("Vectors/")
                }
                .map { path in
                    File(
                        path: "\(folder)/\(path)",
                        text: try String(contentsOfFile: "\(root)/\(folder)/\(path)", encoding: .utf8))
                }
        }
    }

    @Test func `no target has more lines than its budget`() throws {
        let files = try Self.files.get().filter { !Self.tables.contains($0.path) }
        let counts = Dictionary(grouping: files, by: \.target).mapValues { $0.reduce(0) { $0 + $1.lineCount } }
        #expect(Set(counts.keys) == Set(Budgets.lines.keys), "a target without a budget, or a budget without a target")
        for (target, count) in counts.sorted(by: { $0.key < $1.key }) {
            #expect(count <= Budgets.lines[target] ?? 0, "\(target)")
        }
    }

    @Test func `no file is empty or too long`() throws {
        for file in try Self.files.get() where !Self.tables.contains(file.path) {
            let linesMax = file.path.hasPrefix("Tests/") ? Self.testLinesMax : Self.productLinesMax
            #expect((1...linesMax).contains(file.lineCount), "\(file.path)")
        }
    }

    /// A registry of metrics, a tracer and its spans have functions that only libraries call, an executor one that only the runtime
    /// calls, and an interpolation those that only the compiler calls.
    @Test func `each package function is used`() throws {
        let files = try Self.files.get().filter { $0.path.hasSuffix(".swift") }
        var uses: [Substring: Int] = [:]
        for file in files {
            for word in file.text.replacing(/\/\/[^\n]*/, with: "").split(whereSeparator: { !Self.isWord($0) }) {
                uses[word, default: 0] += 1
            }
        }
        let exceptions = [
            "MetricsFactory", "TaskExecutor {", "StringInterpolationProtocol {", ": Tracer {", ": Span {",
        ]
        for file in files where !exceptions.contains(where: file.text.contains) {
            for match in file.text.matches(of: /package (?:\w+ )*func `?(\w+)/) {
                #expect(uses[match.output.1, default: 0] > 1, "\(file.path): \(match.output.1)")
            }
        }
    }

    private static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
