import AuthAPI
import EdgeHTTP
import StrictJSON

extension APIDocumentWriter {
    mutating func responses(
        _ row: DialectRow, _ operation: APIOperation, _ example: JSONValue?
    ) -> DocumentNode {
        let isPage = operation.returns.values.contains(.page)
        var responses: [(status: Int, node: DocumentNode)] = operation.returns.map { status, content in
            (status, response(status, content, example))
        }
        for (status, node) in refused(row.refusals, isPage: isPage) {
            let shared = "Refused\(status)"
            responses.append((status, common[shared] == node ? Self.reference("responses", shared) : node))
        }
        return .map(responses.sorted { $0.status < $1.status }.map { .init(name: "\($0.status)", value: $0.node) })
    }

    private mutating func response(
        _ status: Int, _ content: APIOperation.Content, _ example: JSONValue?
    ) -> DocumentNode {
        switch content {
        case .json(let shape), .optionalJSON(let shape): ["description": "Success", "content": json(shape, example)]
        case .page: ["description": "A page for browsers", "content": Self.text("text/html")]
        case .file("text/html"): ["description": "A page", "content": Self.text("text/html")]
        case .file(let mediaType): ["description": "A document", "content": .map([.init(name: mediaType, value: [:])])]
        case .form, .query, .nothing:
            status == 304
                ? ["description": "The client has this version"]
                : (300..<304).contains(status)
                    ? ["description": "A redirection", "headers": ["Location": ["schema": ["type": "string"]]]]
                    : ["description": "Success, without a body"]
        }
    }

    private static func text(_ mediaType: String) -> DocumentNode {
        .map([.init(name: mediaType, value: ["schema": ["type": "string"]])])
    }

    private static func reference(_ kind: String, _ name: String) -> DocumentNode {
        ["$ref": .text("#/components/\(kind)/\(name)")]
    }

    /// The responses to refusals by status: the codes, and the shape that the dialect gives them.
    mutating func refused(_ refusals: [Refusal], isPage: Bool) -> [(status: Int, node: DocumentNode)] {
        let replies = refusals.flatMap { refusal in
            let isEarly = if case .violation = refusal { true } else { false }
            return (isEarly ? [dialect, early] : [dialect]).map { RefusedReply($0.reply(to: refusal)) }
        }
        return Dictionary(grouping: replies, by: \.status).sorted { $0.key < $1.key }.map { status, replies in
            let media = Dictionary(grouping: replies, by: \.mediaType).sorted { $0.key > $1.key }
            let contents = media.map { mediaType, replies in
                DocumentNode.Member(name: mediaType, value: ["schema": schema(status, mediaType, replies.map(\.body))])
            }
            let pages = isPage ? Self.text("text/html").members : []
            let codes = Set(replies.map(\.code)).sorted().joined(separator: ", ")
            let node: DocumentNode = ["description": .text(codes), "content": .map(contents + pages)]
            return (status, replies.contains(where: \.hasRetryAfter) ? node + ["headers": Self.retryAfter] : node)
        }
    }

    private static let retryAfter: DocumentNode = [
        "Retry-After": ["description": "Seconds", "schema": ["type": "integer"]]
    ]

    private mutating func schema(_ status: Int, _ mediaType: String, _ bodies: [JSONValue]) -> DocumentNode {
        guard mediaType != Problem.mediaType else { return schema(JSONShape(of: Problem.self)) }
        let members = JSONShape(merging: bodies).members
        // Two dialects may refuse with one status in two shapes.
        var name = refusalNames.first { $0.members == members }?.name ?? "Refusal\(status)"
        while refusalNames.contains(where: { $0.name == name && $0.members != members }) { name += "B" }
        refusalNames.append((members, name))
        return schema(.object(name: name, members))
    }

    mutating func schema(_ shape: JSONShape) -> DocumentNode {
        switch shape {
        case .string: ["type": "string"]
        case .integer: ["type": "integer", "format": "int64"]
        case .boolean: ["type": "boolean"]
        case .null: ["type": "null"]
        case .any: [:]
        case .word(let words): ["type": "string", "enum": .list(words.map(DocumentNode.text))]
        case .array(let element): ["type": "array", "items": schema(element)]
        case .either([.string, .null]): ["type": ["string", "null"]]
        case .either(let choices): ["anyOf": .list(choices.map { schema($0) })]
        case .object(let name, let members, let hasAttributes): object(name, members, hasAttributes)
        }
    }

    private mutating func object(_ name: String, _ members: [JSONShape.Member], _ hasAttributes: Bool) -> DocumentNode {
        if !shapes.contains(where: { $0.name == name }) {
            let place = shapes.count
            shapes.append((name, .null))
            let required = members.filter(\.isRequired).map { DocumentNode.text($0.name) }
            var node: DocumentNode = ["type": "object"]
            if !required.isEmpty { node = node + ["required": .list(required)] }
            if !members.isEmpty {
                let properties = members.map { member in
                    let node = Self.described(schema(member.shape), member.name, of: name)
                    return DocumentNode.Member(name: member.name, value: node)
                }
                node = node + ["properties": .map(properties)]
            }
            if hasAttributes { node = node + ["additionalProperties": ["type": ["boolean", "integer", "string"]]] }
            shapes[place].node = node
        }
        return Self.reference("schemas", name)
    }
}

/// A refusal as a dialect sends it.
private struct RefusedReply {
    let status: Int
    let mediaType: String
    let hasRetryAfter: Bool
    let body: JSONValue

    init(_ reply: Reply) {
        status = reply.status
        mediaType = reply.headers.first { $0.0 == "Content-Type" }?.1 ?? "application/json"
        hasRetryAfter = reply.headers.contains { $0.0 == "Retry-After" }
        do { body = try StrictJSON.parse(reply.body, limits: .own) } catch { body = .null }
    }

    /// The word that clients branch on.
    var code: String { (body["code"] ?? body["error"] ?? body["message"])?.stringValue ?? "" }
}
