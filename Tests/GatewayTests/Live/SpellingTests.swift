import Policies
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Spellings that an upstream may read otherwise than the edge, through the edge's whole data path.
@Suite(.timeLimit(.minutes(5))) struct SpellingTests {
    private static func row(_ path: String, _ access: Route.Access, exact: Bool = false) throws -> Route {
        var route = Route(pattern: try #require(RoutePattern(path)), upstream: "app", access: access)
        route.isExact = exact
        return route
    }

    private static func table(exact: Bool = false) throws -> [Route] {
        [
            try row("/admin/**", .role(["admin"]), exact: exact), try row("/api/*/keys", .bearer, exact: exact),
            try row("/**", .open),
        ]
    }

    private static let evasions = [
        "/ADMIN/x", "/Admin", "/admin.", "/admin.json", "/admin.json/", "/admin...", "/admin%20", "/admin%20/x",
        "/%20admin/x", "/admin./x", "/admin%E3%80%80/x", "/adm%C4%B1n/x", "/ADM%C4%B0N", "/adm%C2%ADin/x",
        "/%EF%BD%81dmin", "/api/1/Keys", "/api/1/keys/", "/api/1/keys.xml", "/API/1/ke%E2%80%8Bys",
        "/api/1/%E2%84%AAeys", "/Admin%3Fx", "/admin%20%23x", "/admin%EF%BC%9Fx", "/admin.json%3Fx",
        "/api/1/key%C5%BF", "/.../admin/x",
    ]
    /// Read as a stricter row's by every server, since each decodes paths.
    private static let escaped = [
        "/%61dmin", "/%61dmin/x", "/admi%6E", "/adm%69n/x", "/%61%64%6D%69%6E/x", "/api/1/%6beys", "/%61pi/1/keys",
        "/api/%31/k%65ys", "/admin%3Fx", "/admin%3F", "/admin%23", "/admin%23/x", "/admin%3fa%23b", "/api/1/keys%3Fx=1",
        "/api/1/keys%23x",
    ]
    private static let broken = [
        "/x/%c0%ae%c0%ae/admin", "/x/%2e%2e/admin", "/x/../admin", "//admin", "/x//admin", "/./admin", "/x/..%2fadmin",
        "/x%2f..%2fadmin", "/admin;x", "/admin%3Bx", "/%2561dmin", "/x/%2e./admin", "/x/..;/admin", "/admin%00",
        "/x/..%5cadmin", "/%c1%81dmin", "/a%ff",
    ]
    private static let others = [
        "/", "/x/admin", "/admins", "/administration.json", "/api/1/key", "/api/v1.2/x", "/%C3%A9", "/x%3Fadmin",
        "/admins%3Fx", "/api/1/key%23s",
    ]

    private static func outcomes(
        of paths: [String], _ routes: [Route]
    ) async throws -> (statuses: [String], served: Int) {
        let upstream = try await RecordingUpstream.start()
        var statuses: [String] = []
        try await LiveEdge.run(upstreams: [upstream.endpoint], routes: routes) { edge in
            for path in paths {
                let answer = try await edge.answer(
                    to: "GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                statuses.append(String(answer.dropFirst(9).prefix(3)))
            }
        }
        await upstream.stop()
        return (statuses, upstream.requests.count)
    }

    @Test func `a path that may be read as a stricter row's is never served by a weaker one`() async throws {
        let evasive = try await Self.outcomes(of: Self.evasions, try Self.table())
        #expect(evasive.statuses == Self.evasions.map { _ in "404" })
        #expect(evasive.served == 0)
        for isExact in [false, true] {
            let escaped = try await Self.outcomes(of: Self.escaped, try Self.table(exact: isExact))
            #expect(escaped.statuses == Self.escaped.map { _ in "404" } && escaped.served == 0)
        }
        let broken = try await Self.outcomes(of: Self.broken, try Self.table())
        #expect(broken.statuses == Self.broken.map { _ in "400" })
        #expect(broken.served == 0)
    }

    @Test func `other paths pass, and all do where the stricter row says exact`() async throws {
        let others = try await Self.outcomes(of: Self.others, try Self.table())
        #expect(others.statuses == Self.others.map { _ in "200" })
        let exact = try await Self.outcomes(of: Self.evasions, try Self.table(exact: true))
        #expect(exact.statuses == Self.evasions.map { _ in "200" })
    }

    @Test func `no spelling of an identity header reaches an upstream`() async throws {
        let names = ["X-User-Id", "X-Session-Id", "X-User-Role", "X-Latchkey-Identity", "X-Forwarded-For"]
        let separators = Array("!#$%&'*+.^_`|~")
        let spellings = names.flatMap { name in
            separators.flatMap { mark in
                [name.map { $0 == "-" ? mark : $0 }, name.uppercased().map { $0 == "-" ? mark : $0 }].map { String($0) }
            }
        }
        let upstream = try await RecordingUpstream.start()
        try await LiveEdge.run(upstreams: [upstream.endpoint]) { edge in
            for spelling in spellings {
                _ = try await edge.answer(
                    to: "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(spelling): forged-4711\r\n\r\n")
            }
        }
        await upstream.stop()
        #expect(spellings.count == 140 && upstream.requests.count == spellings.count)
        #expect(upstream.requests.allSatisfy { !$0.head.contains("forged-4711") })
        #expect(upstream.requests.allSatisfy { $0.head.contains("\r\nX-User-Id: usr_1\r\n") })
    }
}
