/// An upstream of the app's API: its servers, and the check by which a skipped server returns.
package struct Upstream: Sendable, Equatable {
    /// The request that a skipped server has to answer with 2xx before it gets requests of clients again.
    package struct Health: Sendable, Equatable {
        package var path: String
        package var intervalSeconds: Int64

        package init(path: String, intervalSeconds: Int64 = 5) {
            self.path = path
            self.intervalSeconds = intervalSeconds
        }
    }

    static let environmentName = "$LATCHKEY_UPSTREAM"
    static let urlCountMax = 64

    /// The URLs of its servers, all with the same scheme; `nil` if they are in `LATCHKEY_UPSTREAM`.
    package var urls: [String]?
    /// `nil` if one request of a client decides whether a skipped server returns.
    package var health: Health?

    package init(urls: [String]? = nil, health: Health? = nil) {
        self.urls = urls
        self.health = health
    }
}

extension Upstream {
    fileprivate static let keys: [Key<Self>] = [
        Key(
            "urls", \.urls, .urls, "The base URLs of its servers.", required: true,
            example: "[http://10.0.0.1:8080, http://10.0.0.2:8080]"),
        Key(
            "health", optional: \.health, .section(Health(path: ""), Health.keys),
            "The check by which a skipped server returns. Without it, one request of a client tries the server.",
            example: "{ path: /healthz }"),
    ]
}

extension Upstream.Health {
    fileprivate static let keys: [Key<Self>] = [
        Key(
            "path", \.path, .text(path), "The path that is requested by GET; the server is well if the status is 2xx.",
            required: true, example: "/healthz"),
        Key(
            "intervalSeconds", \.intervalSeconds, .integer(1...300),
            "The seconds between two checks of a skipped server."),
    ]

    private static var path: TextRule {
        var rule = TextRule("a path such as /healthz, of at most 256 visible ASCII characters without #") { text in
            text.hasPrefix("/") && text.utf8.count <= 256
                && text.utf8.allSatisfy {
                    (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) && $0 != UInt8(ascii: "#")
                }
        }
        rule.pattern = "^/[!-\"$-~]{0,255}$"
        return rule
    }
}

extension KeyForm where Value == [String]? {
    /// `$LATCHKEY_UPSTREAM`, one URL, or a list of different URLs with the same scheme.
    fileprivate static var urls: KeyForm {
        let one = KeyForm<String?>.text(UpstreamURL.ruleWithEnvironment)
        let several = KeyForm<[String]>.values(1...Upstream.urlCountMax, UpstreamURL.rule)
        return KeyForm(
            kind: { .anyOf([one.kind(), several.kind()]) },
            read: { value in
                guard case .list = value.node.content else { return one.read(value).map { $0.map { [$0] } } }
                guard let urls = several.read(value) else { return nil }
                refuseUnfit(urls, in: value)
                return .some(urls)
            },
            node: { urls in
                guard let urls, urls.count > 1 else { return one.node(urls?.first) }
                return several.node(urls)
            })
    }

    private static func refuseUnfit(_ urls: [String], in value: PolicyValue) {
        let names = urls.map(UpstreamURL.normalized)
        if let (_, url) = zip(names.indices, urls).first(where: { names[..<$0.0].contains(names[$0.0]) }) {
            value.findings.add(line: value.node.line, keyPath: value.keyPath, "\(url) is there twice. Remove one.")
        }
        if Set(names.map { $0.hasPrefix("https://") }).count > 1 {
            value.findings.add(
                line: value.node.line, keyPath: value.keyPath,
                "http:// and https:// are mixed. Use one of them for all URLs of an upstream.")
        }
    }
}

extension KeyForm where Value == Upstream {
    /// The URLs of an upstream, or a section with the URLs and more.
    fileprivate static var upstream: KeyForm {
        let urls = KeyForm<[String]?>.urls
        let section = KeyForm<Upstream>.section(Upstream(), Upstream.keys)
        return KeyForm(
            kind: { .anyOf([urls.kind(), section.kind()]) },
            read: { value in
                if case .mapping = value.node.content { return section.read(value) }
                return urls.read(value).map { Upstream(urls: $0) }
            },
            node: { $0.health == nil ? urls.node($0.urls) : section.node($0) })
    }
}

extension KeyForm where Value == [String: Upstream] {
    /// The upstreams of a policy, by their names.
    static var upstreams: KeyForm {
        let (form, count) = (KeyForm<Upstream>.upstream, 0...Policy.upstreamCountMax)
        return KeyForm(
            kind: { .entries(count, of: form.kind()) },
            read: { value in
                value.section { section in
                    var upstreams: [String: Upstream] = [:]
                    for (name, value) in section.named(.name, count: count) {
                        if let read = form.read(value) { upstreams[name] = read }
                    }
                    return upstreams
                }
            },
            node: { upstreams in
                YAMLNode(
                    section: upstreams.sorted { $0.key < $1.key }.compactMap { name, upstream in
                        form.node(upstream).map { (name, $0) }
                    })
            })
    }
}
