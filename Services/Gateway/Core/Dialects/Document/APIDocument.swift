import EdgeHTTP
import Policies
import Release
import StrictJSON

/// The OpenAPI 3.1 document of a dialect, made from its rows.
struct APIDocument: Sendable {
    /// A request and the body of its response, as a running deployment exchanged them.
    struct Example: Sendable {
        var request: JSONValue?
        var response: JSONValue?
    }

    let node: DocumentNode

    /// - Parameters:
    ///   - spoken: the dialect of the document, then others whose rows are in it too.
    ///   - early: the dialect of what is refused before a path is known.
    ///   - further: rows of the first dialect that are answered elsewhere.
    ///   - examples: by method and path.
    ///   - naming: segments of paths that are parameters, such as a provider's name.
    init(
        of spoken: [SpokenDialect], early: any Dialect = NativeDialect(), further: [DialectRow] = [],
        examples: [String: Example] = [:],
        naming: [String: String] = [:]
    ) {
        let name = spoken.first?.dialect.name ?? ""
        var writer = APIDocumentWriter(
            dialect: spoken.first?.dialect ?? early, early: early, examples: examples, naming: naming)
        let common = writer.noteResponsesOfEveryRow()
        let rows = spoken.flatMap { spoken in spoken.rowsOfAPI.map { (spoken.dialect, $0) } }
        let paths = writer.paths(rows + further.map { (writer.dialect, $0) })
        node = [
            "openapi": "3.1.0",
            "info": ["title": .text("Latchkey, API \(name)"), "version": .text(Release.version)],
            "servers": [["url": "/"]],
            "tags": .list(APISection.allCases.filter(writer.sections.contains).map { ["name": .text($0.rawValue)] }),
            "paths": paths,
            "components": [
                "parameters": ["IdempotencyKey": APIDocumentWriter.idempotencyKey], "responses": common,
                "schemas": writer.schemas,
                "securitySchemes": [
                    "bearer": ["type": "http", "scheme": "bearer"], "client": ["type": "http", "scheme": "basic"],
                ],
            ],
        ]
    }
}

/// Writes the paths of a document and collects the schemas that they refer to.
struct APIDocumentWriter {
    static let idempotencyKey: DocumentNode = [
        "name": "Idempotency-Key", "in": "header",
        "description": "The same request with the same key returns the first response.",
        "schema": ["type": "string", "pattern": "^[!-~]{1,128}$"],
    ]

    static let reason: DocumentNode = [
        "name": "Latchkey-Reason", "in": "header", "description": "Why, for the audit; such as the number of a ticket.",
        "schema": ["type": "string", "pattern": "^[ -~]{1,200}$"],
    ]
    static let ifMatch: DocumentNode = [
        "name": "If-Match", "in": "header",
        "description": "The ETag with which the user was read; another state of the user is 412.",
        "schema": ["type": "string"],
    ]

    private(set) var dialect: any Dialect
    let early: any Dialect
    let examples: [String: APIDocument.Example]
    let naming: [String: String]
    private(set) var sections: Set<APISection> = []
    private var identifiers: Set<String> = []
    var shapes: [(name: String, node: DocumentNode)] = []
    var refusalNames: [(members: [JSONShape.Member], name: String)] = []
    /// The responses to refusals that any row may have, by their names.
    private(set) var common: [String: DocumentNode] = [:]

    init(
        dialect: any Dialect, early: any Dialect, examples: [String: APIDocument.Example], naming: [String: String]
    ) {
        (self.dialect, self.early, self.examples, self.naming) = (dialect, early, examples, naming)
    }

    var schemas: DocumentNode { .map(shapes.map { .init(name: $0.name, value: $0.node) }) }

    /// Writes the responses to refusals that any row may have.
    mutating func noteResponsesOfEveryRow() -> DocumentNode {
        let responses = refused(Refusal.ofEveryRow, isPage: false).map {
            DocumentNode.Member(name: "Refused\($0.status)", value: $0.node)
        }
        for response in responses { common[response.name] = response.value }
        return .map(responses)
    }

    mutating func paths(_ rows: [(dialect: any Dialect, row: DialectRow)]) -> DocumentNode {
        var paths: [(path: String, operations: [DocumentNode.Member])] = []
        for (dialect, row) in rows {
            self.dialect = dialect
            guard let operation = row.operation() else { continue }
            let path = path(of: row)
            let node = self.node(row, operation, path)
            let place = paths.firstIndex { $0.path == path } ?? paths.count
            if place == paths.count { paths.append((path, [])) }
            paths[place].operations.append(.init(name: row.method.rawValue.lowercased(), value: node))
        }
        return .map(paths.map { .init(name: $0.path, value: .map($0.operations)) })
    }

    /// The path with its parameters in braces.
    func path(of row: DialectRow) -> String {
        var names = ["{id}", "{session}"]
        return row.pattern.text.split(separator: "/", omittingEmptySubsequences: false)
            .map { segment in
                segment == "*" && !names.isEmpty ? names.removeFirst() : naming[String(segment)] ?? String(segment)
            }
            .joined(separator: "/")
    }

    private mutating func node(_ row: DialectRow, _ operation: APIOperation, _ path: String) -> DocumentNode {
        sections.insert(operation.section)
        var node: DocumentNode = [
            "operationId": .text(identifier(row.method, path)),
            "tags": [.text(operation.section.rawValue)], "summary": .text(operation.summary),
        ]
        if row.access == .bearer { node = node + ["security": [["bearer": []]]] }
        if operation.section == .services { node = node + ["security": [["client": []], [:]]] }
        let parameters = parameters(row, operation, path)
        if !parameters.isEmpty { node = node + ["parameters": .list(parameters)] }
        let example = examples["\(row.method.rawValue) \(path)"]
        if let body = body(operation.takes, example?.request, at: path) { node = node + ["requestBody": body] }
        return node + ["responses": responses(row, operation, example?.response)]
    }

    /// Returns a name such as `post_auth_magicLink_request`, which differs from all others in more than the case and `_`:
    /// generators of clients write names in the style of their language.
    private mutating func identifier(_ method: HTTPMethod, _ path: String) -> String {
        let segments = path.split(separator: "/").map { segment in
            segment.split { !$0.isLetter && !$0.isNumber }.enumerated().map {
                $0 == 0 ? $1 : $1.prefix(1).uppercased() + $1.dropFirst()
            }
            .joined()
        }
        let name = ([method.rawValue.lowercased()] + segments).joined(separator: "_")
        let names = [name] + (2...99).map { "\(name)_\($0)" }
        return names.first { identifiers.insert($0.lowercased().filter { $0 != "_" }).inserted } ?? name
    }

    private func parameters(_ row: DialectRow, _ operation: APIOperation, _ path: String) -> [DocumentNode] {
        var parameters: [DocumentNode] = path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            Self.parameter(String($0.dropFirst().dropLast()), in: "path", isRequired: true, of: "path")
        }
        if case .query(let required, let optional) = operation.takes {
            let place = Self.lastSegment(of: path)
            parameters += required.map { Self.parameter($0, in: "query", isRequired: true, of: place) }
            parameters += optional.map { Self.parameter($0, in: "query", isRequired: false, of: place) }
        }
        if operation.refusals.contains(.malformedIdempotencyKey) {
            parameters.append(["$ref": "#/components/parameters/IdempotencyKey"])
        }
        if operation.section == .administration { parameters.append(Self.reason) }
        if operation.refusals.contains(.versionMismatch) { parameters.append(Self.ifMatch) }
        return parameters
    }

    private static func parameter(
        _ name: String, in part: String, isRequired: Bool, of place: String
    ) -> DocumentNode {
        described(
            ["name": .text(name), "in": .text(part), "required": .flag(isRequired), "schema": ["type": "string"]],
            name, of: place)
    }

    /// Adds the description of a member, if it has one.
    static func described(_ node: DocumentNode, _ name: String, of place: String) -> DocumentNode {
        MemberDescriptions.text(name, in: place).map { node + ["description": .text($0)] } ?? node
    }

    private static func lastSegment(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private mutating func body(
        _ content: APIOperation.Content, _ example: JSONValue?, at path: String
    ) -> DocumentNode? {
        switch content {
        case .json(let shape): ["required": .flag(true), "content": json(shape, example)]
        case .optionalJSON(let shape): ["required": .flag(false), "content": json(shape, example)]
        case .form(let required, let optional):
            [
                "required": .flag(true),
                "content": [
                    "application/x-www-form-urlencoded": [
                        "schema": [
                            "type": "object", "required": .list(required.map(DocumentNode.text)),
                            "properties": .map(
                                (required + optional).map { name in
                                    let node = Self.described(["type": "string"], name, of: Self.lastSegment(of: path))
                                    return .init(name: name, value: node)
                                }),
                        ]
                    ]
                ],
            ]
        case .query, .page, .file, .nothing: nil
        }
    }

    mutating func json(_ shape: JSONShape, _ example: JSONValue?) -> DocumentNode {
        let content: DocumentNode = ["schema": schema(shape)]
        return ["application/json": example.map { content + ["example": DocumentNode($0)] } ?? content]
    }
}
