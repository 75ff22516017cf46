import Foundation
import InternalAPI
import Policies
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// `deploy/docs/reference/api.md` and `errors.md` against the code: no path, code or reason is on no page, and none is invented.
@Suite struct APIPageTests {
    private static func page(_ name: String) throws -> String {
        try String(contentsOfFile: LatchkeyStack.root + "deploy/docs/reference/\(name).md", encoding: .utf8)
    }

    /// The cells of the tables' rows.
    private static func rows(_ page: String) -> [[String]] {
        page.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            line.dropFirst(2).components(separatedBy: " | ")
        }
    }

    // MARK: - Paths

    /// A policy with everything that adds rows.
    static let everything = """
        issuer: a
        audience: a
        publicURL: https://auth.example.com
        profiles:
          mobile: { algorithm: RS256 }
          supabase: { algorithm: ES256, refresh: { repeatWithoutKeySeconds: untilUsed, limit: none } }
        dialects:
          - { name: native, profile: mobile }
          - { name: aarokya, profile: mobile, host: a.example.com }
          - { name: voltyks, profile: mobile, host: v.example.com }
          - { name: gremlin, profile: mobile, host: g.example.com }
          - { name: uta, profile: mobile, host: u.example.com }
          - { name: supabase, profile: supabase }
        signing: { jwksMaxAgeSeconds: 3600 }
        otp: {}
        email: {}
        passwords: {}
        apple: { audiences: [com.example.app], servicesID: com.example.web }
        oidc: { acme: { issuers: ["https://acme.example"], jwksURL: https://acme.example/keys, audiences: [my-app], \
        clientID: my-web, authorizeURL: https://acme.example/authorize, tokenURL: https://acme.example/token } }
        webRedirects: ["com.example.app:/signed-in"]
        phoneTokens: { fpnv: { issuer: "https://fpnv.example/1", jwksURL: https://fpnv.example/keys, audiences: [my-app] } }
        apps: { ios: [ABCDE12345.com.example.app], android: [{ package: com.example.app, sha256: ["\(fingerprint)"] }] }
        passkeys: { signUp: true, restoreKeys: true, relatedOrigins: ["https://example.org"] }
        mfa: { totp: true }
        deletion: { page: true, onSignIn: ask }
        admin: { api: true, actAs: { role: support } }
        countries: { allowed: all }
        edge: { apiDocument: true }
        """

    /// Every row that any policy can have, and those that have only to do with a host.
    private static let answered = Set(
        APIDocumentTests.spoken.flatMap { $0.dialect.rows + ($0.documents + ($0.discovery.map { [$0.row] } ?? [])) }
            .map { "\($0.method.rawValue) \($0.pattern.text)" } + ["GET /healthz"])

    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")

    @Test func `the page has every path of every dialect, and no other`() throws {
        let told = Self.rows(try Self.page("api")).compactMap { cells -> String? in
            guard let request = cells.first?.firstMatch(of: #/^`([A-Z]+ \/[^`]*)`/#) else { return nil }
            return String(request.output.1).replacing(#/\{(id|session)\}/#, with: "*").replacing(
                "/oidc/{name}", with: "/oidc/acme")
        }
        #expect(Self.answered.subtracting(told).sorted() == [], "on no page")
        #expect(Set(told).subtracting(Self.answered).sorted() == [], "not answered")
        #expect(told.count > 50)
    }

    // MARK: - Codes

    /// The codes in the sources of refusals: a text after a status, at the start of a tuple, or after a case.
    private static func codes() throws -> Set<String> {
        let folder = LatchkeyStack.root + "Services/Gateway/Core/Dialects/"
        var found: Set<String> = []
        for file in ["RefusalWords", "RefusalWords+Identities", "HTTPViolation+Words", "OAuth/OAuthError"] {
            let source = try String(contentsOfFile: "\(folder)\(file).swift", encoding: .utf8)
            let codes = #/(?:\d{3},\s*|\(|: )"([a-z]+(?:_[a-z]+)*)"/#
            found.formUnion(source.matches(of: codes).map { String($0.output.1) })
        }
        return found
    }

    @Test func `the catalogue has every code, and no other`() throws {
        let page = try Self.page("errors")
        let catalogue = try #require(page.components(separatedBy: "\n## Rules of HTTP\n").first)
        let told = Set(Self.rows(catalogue).compactMap { $0.first?.filter { $0 != "`" } }).subtracting(["code"])
        let codes = try Self.codes()
        #expect(codes.subtracting(told).sorted() == [], "on no page")
        #expect(told.subtracting(codes).sorted() == [], "not returned")
        #expect(codes.count > 40)
    }

    @Test(arguments: RefusalTests.native)
    func `the catalogue has a refusal's status with its code`(refusal: Refusal, status: Int, code: String) throws {
        let rows = Self.rows(try Self.page("errors")).filter { $0.first == "`\(code)`" }
        #expect(rows.contains { $0.count > 1 && $0[1].contains("\(status)") || code == "malformed_request" }, "\(code)")
    }

    @Test func `the catalogue has every rule of HTTP with its status`() throws {
        let rows = Self.rows(try Self.page("errors"))
        for violation in HTTPViolation.allCases {
            let row = ["`\(violation.reason)`", "\(violation.status)"]
            #expect(rows.contains { $0.starts(with: row) }, "\(violation.reason) \(violation.status)")
        }
    }

    @Test(arguments: RefusedRefreshReason.allCases)
    func `the catalogue has every reason of a refused refresh`(reason: RefusedRefreshReason) throws {
        let row = Self.rows(try Self.page("errors")).first { $0.first == "`invalid_refresh_token`" }
        #expect(row?.joined().contains("`\(reason.rawValue)`") == true)
    }

    /// The codes that dialects write in place of ours.
    @Test(arguments: RefusalTests.aarokya)
    func `the catalogue has aarokya's own codes`(refusal: Refusal, status: Int, code: String) throws {
        let page = try Self.page("errors")
        #expect(page.contains("`\(code)`") || page.contains("| `\(code.lowercased())` |"), "\(code)")
    }
}
