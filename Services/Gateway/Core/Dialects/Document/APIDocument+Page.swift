import EdgeHTTP
import ServiceKit

/// The page for people, made from the document.
extension APIDocument {
    func page(_ look: PageLook) -> Reply {
        let operations = (node["paths"]?.members ?? []).flatMap { path in
            path.value.members.map { operation($0, at: path.name) }
        }
        let schemas = (node["components"]?["schemas"]?.members ?? []).map { schema in
            "<section id=\"\(schema.name)\"><h2>\(schema.name)</h2>\n\(table(schema.value))</section>"
        }
        let title = node["info"]?["title"]?.words ?? ""
        return look.reply(title.escapedForHTML, (operations + schemas).joined(separator: "\n"))
    }

    private func operation(_ operation: DocumentNode.Member, at path: String) -> String {
        let node = operation.value
        let access = node["security"] == nil ? "" : " With an access token, or the client's credentials."
        let takes = (node["parameters"]?.items ?? []).compactMap { $0["name"]?.words }.joined(separator: ", ")
        let body =
            (node["requestBody"]?["content"]?.members.first?.value["schema"]).map { "<p>Body:</p>\(table($0))" } ?? ""
        let responses = (node["responses"]?.members ?? []).map { response in
            let description = resolved(response.value)["description"]?.words ?? ""
            let schemas = (response.value["content"]?.members ?? []).compactMap { $0.value["schema"] }.map(type)
            return "<tr><th>\(response.name)</th><td>\(description.escapedForHTML)</td>"
                + "<td>\(schemas.joined(separator: ", "))</td></tr>"
        }
        return """
            <section>
            <h2><code>\(operation.name.uppercased()) \(path.escapedForHTML)</code></h2>
            <p>\((node["summary"]?.words ?? "").escapedForHTML).\(access)</p>
            \(takes.isEmpty ? "" : "<p>Parameters: <code>\(takes.escapedForHTML)</code></p>")\(body)
            <table>\(responses.joined(separator: "\n"))</table>
            </section>
            """
    }

    /// The members of a schema as a table; its type if it has none.
    private func table(_ schema: DocumentNode) -> String {
        let object = resolved(schema)
        let required = Set((object["required"]?.items ?? []).compactMap(\.words))
        let rows = (object["properties"]?.members ?? []).map { member in
            let word = required.contains(member.name) ? "" : "optional"
            let description = member.value["description"]?.words ?? ""
            return "<tr><td><code>\(member.name)</code></td><td>\(type(member.value))</td><td>\(word)</td>"
                + "<td>\(description.escapedForHTML)</td></tr>"
        }
        return rows.isEmpty ? "<p>\(type(schema))</p>" : "<table>\(rows.joined(separator: "\n"))</table>"
    }

    private func type(_ schema: DocumentNode) -> String {
        if let name = schema["$ref"]?.words?.split(separator: "/").last { return "<a href=\"#\(name)\">\(name)</a>" }
        if let words = schema["enum"]?.items { return words.compactMap(\.words).joined(separator: ", ") }
        if let choices = schema["anyOf"]?.items { return choices.map(type).joined(separator: " or ") }
        let types = schema["type"]?.items.compactMap(\.words) ?? []
        guard types.isEmpty else { return types.joined(separator: " or ") }
        let element = schema["items"].map { " of \(type($0))" } ?? ""
        return (schema["type"]?.words ?? "any") + element
    }

    private func resolved(_ node: DocumentNode) -> DocumentNode {
        guard let reference = node["$ref"]?.words?.split(separator: "/").dropFirst() else { return node }
        return reference.reduce(self.node) { $0[String($1)] ?? [:] }
    }
}

extension DocumentNode {
    /// The text of a scalar; `nil` for every other value.
    fileprivate var words: String? { if case .text(let text) = self { text } else { nil } }
}
