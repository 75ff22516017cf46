import AuthAPI
import Foundation
import Policies
import StrictJSON
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// `deploy/openapi`, and the tables of `deploy/docs/reference/api.md` and `errors.md`, are what the rows say.
///
/// `LATCHKEY_WRITE_GOLDEN=1 swift test --no-parallel --filter APIDocumentTests` writes them again.
@Suite struct APIDocumentTests {
    private static let writes = ProcessInfo.processInfo.environment["LATCHKEY_WRITE_GOLDEN"] == "1"
    static let naming = ["acme": "{name}"]

    /// The dialects of a policy that has everything.
    static let spoken: [SpokenDialect] = {
        do { return SpokenDialect.all(of: try Policy.parse(APIPageTests.everything, file: "every.yaml")) } catch {
            preconditionFailure("\(error)")
        }
    }()

    static func documents() throws -> [(name: String, document: APIDocument)] {
        let (native, others) = (spoken.filter(\.isOfLatchkey), spoken.filter { !$0.isOfLatchkey })
        return try ([native] + others.map { [$0] }).map { spoken in
            let name = try #require(spoken.first?.dialect.name)
            let further = (spoken.first?.documents ?? []) + (name == "native" ? APIDocument.healthRows("/healthz") : [])
            return (
                name,
                APIDocument(of: spoken, further: further, examples: try APIExamples.all(of: name), naming: naming)
            )
        }
    }

    private static func expectUnchanged(_ path: String, _ make: (String) throws -> String) throws {
        let file = URL(filePath: LatchkeyStack.root).appending(path: path)
        let old = FileManager.default.fileExists(atPath: file.path) ? try String(contentsOf: file, encoding: .utf8) : ""
        let new = try make(old)
        if writes { try new.write(to: file, atomically: true, encoding: .utf8) }
        #expect(try String(contentsOf: file, encoding: .utf8) == new, "\(path) is out of date")
    }

    @Test func `the OpenAPI files are what the rows say`() throws {
        for (name, document) in try Self.documents() {
            let file = name == "native" ? "latchkey" : "latchkey-\(name)"
            try Self.expectUnchanged("deploy/openapi/\(file).yaml") { _ in
                "# Written from the rows of the dialects by APIDocumentTests.\n" + document.node.document
            }
        }
    }

    @Test func `each row states what it takes, returns and refuses`() {
        let rows = Self.spoken.flatMap(\.rows)
        #expect(rows.filter { $0.operation() == nil }.map(\.pattern.text) == [])
        #expect(rows.count > 60)
    }

    @Test func `an object's name has one shape in a document`() {
        for spoken in Self.spoken {
            var members: [String: [JSONShape.Member]] = [:]
            for shape in spoken.rows.compactMap({ $0.operation() }).flatMap({ [$0.takes] + $0.returns.values })
                .compactMap(\.shape).flatMap(\.objects)
            {
                guard case .object(let name, let own, _) = shape else { continue }
                #expect(members.updateValue(own, forKey: name) ?? own == own, "\(spoken.dialect.name): \(name)")
            }
        }
    }

    @Test func `each recorded example has the shape that its row states`() throws {
        var count = 0
        for spoken in Self.spoken {
            let examples = try APIExamples.all(of: spoken.dialect.name == "oauth" ? "native" : spoken.dialect.name)
            for row in spoken.rows {
                let operation = try #require(row.operation())
                let key = "\(row.method.rawValue) \(row.pattern.text.replacing("*", with: "{id}"))"
                guard let example = examples[key], let response = example.response else { continue }
                count += 1
                #expect(try #require(operation.returns[200]?.shape).faults(in: response) == [], "\(key)")
                if let request = example.request {
                    #expect(try #require(operation.takes.shape).faults(in: request) == [], "\(key)")
                }
            }
        }
        #expect(count > 35)
    }

    // MARK: - Pages

    @Test func `the tables of the API page are those of the rows`() throws {
        try Self.expectUnchanged("deploy/docs/reference/api.md") { page in
            var page = page
            let latchkey = Self.spoken.filter(\.isOfLatchkey).flatMap(\.rows) + APIDocument.healthRows("/healthz")
            for section in APISection.allCases {
                page = try Self.page(
                    page, under: "## \(section.rawValue)", rows: latchkey.filter { $0.operation()?.section == section })
            }
            let members = UserProfile.shape.members.map(\.name).map { name in
                ["`\(name)`", MemberDescriptions.text(name, in: "User") ?? ""]
            }
            let attributes = "those that the policy [declares](policy.md#attributes), each as a member of its own"
            page = try Self.page(
                page, under: "## The user object", ["member", "meaning"], members + [["attributes", attributes]])
            for spoken in Self.spoken where !spoken.isOfLatchkey {
                page = try Self.page(
                    page, under: "### \(spoken.dialect.name)", rows: spoken.dialect.rows + spoken.documents.prefix(1))
            }
            return page
        }
    }

    @Test func `each description is of a member`() throws {
        let documents = try Self.documents().map(\.document.node.document).joined()
        for (member, text) in MemberDescriptions.texts { #expect(documents.contains(text), "\(member)") }
    }

    @Test func `the tables of the error catalogue are those of the code`() throws {
        try Self.expectUnchanged("deploy/docs/reference/errors.md") { page in
            try Dictionary(grouping: ProblemCatalogue.entries, by: \.section).reduce(page) { page, section in
                let rows = section.value.map { entry in
                    let statuses = ProblemCatalogue.statuses[entry.code, default: []].sorted()
                    return [
                        "`\(entry.code)`", statuses.map { "\($0)" }.joined(separator: ", "), entry.cause, entry.remedy,
                    ]
                }
                return try Self.page(page, under: "## \(section.key)", ["`code`", "status", "cause", "do"], rows)
            }
        }
    }

    @Test func `each code that a client may get is in the catalogue once`() {
        let codes = ProblemCatalogue.entries.map(\.code)
        #expect(codes.count == Set(codes).count)
        #expect(Set(codes) == Set(ProblemCatalogue.statuses.keys))
    }

    private static func page(_ page: String, under heading: String, rows: [DialectRow]) throws -> String {
        try Self.page(
            page, under: heading, ["request", "access", "does", "takes", "response"],
            rows.map { row in
                let operation = try #require(row.operation())
                let path = APIDocumentWriter(
                    dialect: NativeDialect(), early: NativeDialect(), examples: [:], naming: naming
                ).path(of: row)
                let returns = operation.returns.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.cell)" }
                return [
                    "`\(row.method.rawValue) \(path)`", "\(row.access)", operation.summary,
                    operation.takes == .nothing ? "–" : operation.takes.cell,
                    returns.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: ", "),
                ]
            })
    }

    /// Replaces the first table under a heading.
    private static func page(
        _ page: String, under heading: String, _ titles: [String], _ rows: [[String]]
    ) throws -> String {
        let start = try #require(page.range(of: "\n\(heading)\n"), "\(heading)").upperBound
        let table = try #require(page.range(of: "\n|", range: start..<page.endIndex)).lowerBound
        let end = page.range(of: "\n\n", range: table..<page.endIndex)?.lowerBound ?? page.endIndex
        let lines = ([titles] + rows).map { "\n| \($0.joined(separator: " | ")) |" }
        let rule = "\n|" + titles.map { _ in "---|" }.joined()
        return page.replacingCharacters(in: table..<end, with: lines[0] + rule + lines.dropFirst().joined())
    }
}

extension SpokenDialect {
    /// Whether its rows are in the document of the native API.
    fileprivate var isOfLatchkey: Bool { ["native", "oauth"].contains(dialect.name) }
}

extension APIOperation.Content {
    /// The content as a cell of a table.
    fileprivate var cell: String {
        switch self {
        case .json(let shape), .optionalJSON(let shape):
            shape == .any
                ? "JSON"
                : Self.list(
                    shape.members.filter(\.isRequired).map(\.name), shape.members.filter { !$0.isRequired }.map(\.name))
        case .form(let required, let optional): "a form: " + Self.list(required, optional)
        case .query(let required, let optional): "in the query: " + Self.list(required, optional)
        case .page: "a page for browsers"
        case .file(let mediaType): "`\(mediaType)`"
        case .nothing: ""
        }
    }

    private static func list(_ required: [String], _ optional: [String]) -> String {
        let names = required.map { "`\($0)`" }.joined(separator: ", ")
        guard !optional.isEmpty else { return names }
        return names + (names.isEmpty ? "" : "; ") + "optional " + optional.map { "`\($0)`" }.joined(separator: ", ")
    }
}

extension JSONShape {
    /// The members that a value lacks, has too many, or has with another type.
    func faults(in value: JSONValue, at place: String = "") -> [String] {
        switch (self, value) {
        case (.string, .string), (.integer, .integer), (.boolean, .bool), (.null, .null), (.any, _): []
        case (.word(let words), .string(let word)) where words.contains(word): []
        case (.array(let element), .array(let items)): items.flatMap { element.faults(in: $0, at: place + "[]") }
        case (.either(let choices), _) where choices.contains { $0.faults(in: value).isEmpty }: []
        case (.object(_, let members, let hasAttributes), .object(let object)):
            members.flatMap { member in
                object[member.name].map { member.shape.faults(in: $0, at: place + "." + member.name) }
                    ?? (member.isRequired ? ["\(place).\(member.name) is missing"] : [])
            }
                + object.members.map(\.name).filter { name in !hasAttributes && !members.contains { $0.name == name } }
                .map { "\(place).\($0) is unknown" }
        default: ["\(place) has another type"]
        }
    }

    /// The object, and every object in it.
    fileprivate var objects: [JSONShape] {
        switch self {
        case .object(_, let members, _): [self] + members.flatMap(\.shape.objects)
        case .array(let element): element.objects
        case .either(let choices): choices.flatMap(\.objects)
        default: []
        }
    }
}
