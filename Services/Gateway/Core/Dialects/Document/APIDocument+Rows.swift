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
                catalogue + rows(name, isFound: isFound, yaml: [], page: Reply(status: 200, headers: [], body: []))
            let document = APIDocument(
                of: isNative ? [spoken[place]] + spoken.dropFirst(policy.dialects.count) : [spoken[place]],
                early: SpokenDialect.early(of: spoken),
                further: listed + (isNative ? healthRows(policy.edge.healthPath) : []))
            served[place].documents =
                catalogue
                + rows(name, isFound: isFound, yaml: Array(document.node.document.utf8), page: document.page(look))
        }
        return served
    }

    /// - Parameter isFound: whether the dialect's document is also found without its name.
    private static func rows(_ name: String, isFound: Bool, yaml: [UInt8], page: Reply) -> [DialectRow] {
        let file = Reply(
            status: 200,
            headers: [
                ("Content-Type", "application/yaml"), ("Cache-Control", "public, max-age=300"),
                ("X-Content-Type-Options", "nosniff"),
            ], body: yaml)
        let named = row("openapi-\(name).yaml", "Returns the document of the API \(name)", file, "application/yaml")
        guard isFound else { return [named].compactMap { $0 } }
        return [
            named, row("openapi.yaml", "Returns the document of this API", file, "application/yaml"),
            row("docs", "Shows the document of this API as a page", page, "text/html"),
        ].compactMap { $0 }
    }

    private static func row(_ name: String, _ summary: String, _ reply: Reply, _ mediaType: String) -> DialectRow? {
        RoutePattern("/.well-known/latchkey/\(name)").map {
            DialectRow(.get, at: $0, .open) { _, _ throws(Refusal) in reply }
                .documented(.deployment, summary, .file(mediaType: mediaType))
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
