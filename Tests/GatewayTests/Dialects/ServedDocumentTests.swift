import Policies
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The documents under `/.well-known/latchkey/`: which a policy serves, and at which host.
@Suite struct ServedDocumentTests {
    private static func table(_ edge: String) throws -> RouteTable {
        let policy = try Policy.parse(
            """
            issuer: a
            audience: a
            profiles: { mobile: { algorithm: RS256 } }
            dialects:
              - { name: native, profile: mobile }
              - { name: aarokya, profile: mobile, host: a.example.com }
            otp: {}
            countries: { allowed: all }
            edge: { \(edge) }
            """, file: "served.yaml")
        #expect(PathListing(of: policy).clashes == [])
        return RouteTable(SpokenDialect.all(of: policy), app: [])
    }

    private static func dialect(_ table: RouteTable, _ name: String, at host: String? = nil) throws -> String? {
        let path = Array("/.well-known/latchkey/\(name)".utf8)
        guard case .own(let rows) = table.match(.get, path.span, host: { host }).match else { return nil }
        let document = try #require(rows.first.row.operation())
        #expect(document.section == .deployment)
        return rows.first.dialect.name
    }

    @Test func `every policy serves the error catalogue, and the others only if it says so`() throws {
        let table = try Self.table("apiDocument: false")
        #expect(try Self.dialect(table, "problems") == "native")
        for name in ["openapi.yaml", "docs", "openapi-native.yaml"] {
            #expect(try Self.dialect(table, name) == nil, "\(name)")
        }
    }

    @Test(
        arguments: [
            ("openapi.yaml", nil, "native"), ("openapi.yaml", "a.example.com", "aarokya"),
            ("docs", "a.example.com", "aarokya"),
            ("docs", "elsewhere.example.com", "native"), ("openapi-aarokya.yaml", nil, "aarokya"),
            ("openapi-native.yaml", "a.example.com", "native"), ("openapi-uta.yaml", nil, nil),
            ("openapi-oauth.yaml", nil, nil),
        ] as [(String, String?, String?)])
    func `a host has its dialect's document, and none is of a dialect that the policy lacks`(
        name: String, host: String?, dialect: String?
    ) throws {
        #expect(try Self.dialect(try Self.table("apiDocument: true"), name, at: host) == dialect)
    }

    /// `sign-in-email` and `sign-in/email` of gremlin are one name to a generator that writes `sign_in_email` for both.
    @Test func `the names of operations are distinct in every style`() throws {
        for (name, document) in try APIDocumentTests.documents() {
            let names = (document.node["paths"]?.members ?? []).flatMap(\.value.members)
                .compactMap { operation -> String? in
                    guard case .text(let text) = operation.value["operationId"] else { return nil }
                    return text.lowercased().filter { $0 != "_" }
                }
            #expect(names.count == Set(names).count && names.count > 4, "\(name)")
        }
    }

    @Test func `each reference of a document leads to a part of it, and each part is used`() throws {
        for (name, document) in try APIDocumentTests.documents() {
            let used = document.node.references
            let parts = ["parameters", "responses", "schemas"].flatMap { kind in
                (document.node["components"]?[kind]?.members ?? []).map { "#/components/\(kind)/\($0.name)" }
            }
            #expect(used.subtracting(parts) == [], "\(name)")
            #expect(Set(parts.filter { $0.contains("/schemas/") }).subtracting(used) == [], "\(name)")
        }
    }

    @Test func `a client that has the document is told so, and how long to wait in each 429`() throws {
        let table = try Self.table("apiDocument: true")
        let path = Array("/.well-known/latchkey/openapi.yaml".utf8)
        guard case .own(let rows) = table.match(.get, path.span, host: { nil }).match else { return }
        #expect(try #require(rows.first.row.operation()).returns[304] == .nothing)
        for (name, document) in try APIDocumentTests.documents() {
            for operation in (document.node["paths"]?.members ?? []).flatMap(\.value.members) {
                guard let refused = operation.value["responses"]?["429"] else { continue }
                #expect(refused["headers"]?["Retry-After"] != nil, "\(name): \(operation.value)")
            }
        }
    }

    @Test func `the page has every operation, and loads nothing from elsewhere`() throws {
        let (_, document) = try #require(try APIDocumentTests.documents().first)
        let look = PageLook(appName: "<App>", accent: .standard, logo: nil)
        let reply = document.page(look)
        let html = String(decoding: reply.body, as: UTF8.self)
        for path in document.node["paths"]?.members ?? [] {
            #expect(html.contains(" \(path.name)</code>"), "\(path.name)")
        }
        #expect(
            !html.contains("<script") && !html.contains("src=") && !html.contains("http://")
                && html.contains("&lt;App&gt;"))
        #expect(reply.headers.contains { $0.0 == "Content-Security-Policy" && $0.1.hasPrefix("default-src 'none'") })
        let anchors = Set(html.matches(of: #/id="(\w+)"/#).map(\.output.1))
        #expect(Set(html.matches(of: #/href="#(\w+)"/#).map(\.output.1)).subtracting(anchors) == [])
    }

    @Test func `a problem's type leads to a section of the catalogue`() {
        let look = PageLook(appName: "App", accent: .standard, logo: nil)
        let html = String(decoding: ProblemCatalogue.page(look).body, as: UTF8.self)
        for code in ProblemCatalogue.statuses.keys { #expect(html.contains("id=\"\(code)\""), "\(code)") }
        #expect(ProblemCatalogue.row(look).pattern.text == "/.well-known/latchkey/problems")
    }
}

extension DocumentNode {
    /// The values of all `$ref` in the document.
    fileprivate var references: Set<String> {
        let own: Set<String> = if case .text(let text) = self["$ref"] { [text] } else { [] }
        return (items + members.map(\.value)).reduce(own) { $0.union($1.references) }
    }
}
