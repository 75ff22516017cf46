import AuthAPI
import EdgeHTTP
import Policies

/// The documents that the gateway serves under `/.well-known/latchkey/`.
extension APIDocument {
    /// Adds the error catalogue, and the API documents if the policy has them.
    ///
    /// - Parameter spoken: the policy's dialects in its order, then the one for services.
    static func serve(_ spoken: [SpokenDialect], of policy: Policy, _ look: PageLook) -> [SpokenDialect] {
        var served = spoken
        for place in spoken.indices where place < policy.dialects.count {
            let (name, host) = (spoken[place].dialect.name, spoken[place].host)
            let isNative = name == Policies.Dialect.native
            let catalogue = isNative ? [ProblemCatalogue.row(look)] : []
            guard policy.edge.apiDocument else {
                served[place].documents = catalogue
                continue
            }
            let isFound = place == 0 || host != nil
            let listed =
                catalogue + rows(name, isFound: isFound, yaml: "", page: Reply(status: 200, headers: [], body: []))
            let document = APIDocument(
                of: isNative ? [spoken[place]] + spoken.dropFirst(policy.dialects.count) : [spoken[place]],
                early: SpokenDialect.early(of: spoken),
                further: listed + (isNative ? healthRows(policy.edge.healthPath) : []))
            served[place].documents =
                catalogue
                + rows(name, isFound: isFound, yaml: document.node.document, page: document.page(look))
        }
        return served
    }

    /// - Parameter isFound: whether the dialect's document is also found without its name.
    private static func rows(_ name: String, isFound: Bool, yaml: String, page: Reply) -> [DialectRow] {
        let file = TaggedFile("application/yaml", Array(yaml.utf8))
        let named = row("openapi-\(name).yaml", "Returns the document of the API \(name)", file)
        guard isFound else { return [named].compactMap { $0 } }
        let docs = DialectRow(.get, "/.well-known/latchkey/docs", .open) { _, _ throws(Refusal) in page }
            .documented(.deployment, "Shows the document of this API as a page", .file(mediaType: "text/html"))
        return [named, row("openapi.yaml", "Returns the document of this API", file), docs].compactMap { $0 }
    }

    private static func row(_ name: String, _ summary: String, _ file: TaggedFile) -> DialectRow? {
        RoutePattern("/.well-known/latchkey/\(name)").map {
            DialectRow(.get, at: $0, .open) { request, _ throws(Refusal) in
                file.reply(knowing: request.head.text("if-none-match"))
            }
            .documented(.deployment, summary, .file(mediaType: file.mediaType), also: 304)
        }
    }

    /// The health check, which the edge answers itself.
    static func healthRows(_ path: String?) -> [DialectRow] {
        path.flatMap(RoutePattern.init).map { pattern in
            [
                DialectRow(.get, at: pattern, .open, counting: .nothing) { _, _ throws(Refusal) in throw .notFound }
                    .documented(
                        .deployment, "Returns 200 while the gateway accepts traffic, and 503 while it drains",
                        .json(.any))
            ]
        } ?? []
    }
}

/// The look of the pages about the API.
struct PageLook: Sendable {
    let appName: String
    let accent: AccentColor
    let logo: LogoImage?

    /// - Parameter body: HTML.
    func reply(_ title: String, _ body: String) -> Reply {
        WebPage(
            title: title, body: body, locale: "en", direction: .leftToRight, appName: appName, accent: accent,
            logo: logo,
            isWide: true
        ).reply()
    }
}
