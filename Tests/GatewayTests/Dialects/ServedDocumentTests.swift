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
