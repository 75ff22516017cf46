import Logging
import Policies
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct RouteTableTests {
    private let table: RouteTable

    init() throws {
        let group = UpstreamGroup(
            name: "app", endpoints: [UpstreamEndpoint(host: "127.0.0.1", port: 1)],
            logger: Logger(label: "test"))
        var styled = try Self.appRoute("/styled/**", methods: nil)
        styled.dialect = "second"
        let app = [
            try Self.appRoute("/api/admin/**", methods: ["GET"]), try Self.appRoute("/api/**", methods: nil),
            try Self.appRoute("/users/**", methods: nil), styled,
        ]
        let spoken = [
            SpokenDialect.test(
                "first", .silent(.get, "/users/me"), .silent(.delete, "/users/me"), .silent(.delete, "/sessions/*")),
            SpokenDialect.test("second", .silent(.post, "/user"), .silent(.get, "/sessions/own")),
        ]
        table = RouteTable(spoken, app: app.map { AppRoute(policy: $0, upstream: group) })
    }

    private static func appRoute(_ path: String, methods: [String]?) throws -> Route {
        var route = Route(pattern: try #require(RoutePattern(path)), upstream: "app", access: .open)
        route.methods = methods
        return route
    }

    private func found(_ method: HTTPMethod, _ path: String) -> String {
        let (label, match) = table.match(method, Array(path.utf8).span, host: { nil })
        return switch match {
        case .own(let rows): "own \(rows.first.row.method.rawValue) \(label.text)"
        case .app: "app \(label.text)"
        case .methodNotAllowed(let allowed): "405 \(allowed.sorted().joined(separator: ",")) \(label.text)"
        case .notFound: "404 \(label.text)"
        }
    }

    @Test(arguments: [
        (HTTPMethod.get, "/users/me", "own GET /users/me"), (.delete, "/users/me", "own DELETE /users/me"),
        (.head, "/users/me", "own GET /users/me"), (.post, "/users/me", "405 DELETE,GET /users/me"),
        (.delete, "/sessions/abc", "own DELETE /sessions/*"), (.delete, "/sessions/", "404 other"),
        (.get, "/sessions/own", "own GET /sessions/own"), (.delete, "/sessions/own", "405 GET /sessions/own"),
        (.post, "/user", "own POST /user"), (.post, "/user/", "404 other"), (.post, "/users", "app /users/**"),
        (.get, "/users/you", "app /users/**"), (.get, "/users/me/x", "app /users/**"),
        (.get, "/api/admin/x", "app /api/admin/**"), (.post, "/api/admin/x", "405 GET /api/admin/**"),
        (.post, "/api/x", "app /api/**"), (.get, "/", "404 other"), (.get, "/USERS/me", "404 other"),
    ])
    func `our own paths come first, then the policy's routes in their order`(
        method: HTTPMethod, path: String, expected: String
    ) {
        #expect(found(method, path) == expected)
    }

    @Test(arguments: [
        ("/users/me", "first"), ("/user", "second"), ("/sessions/own", "second"), ("/api/x", "first"),
        ("/styled/x", "second"), ("/nowhere", "first"),
    ])
    func `refusals have the shape of the path's dialect, or of the first`(path: String, name: String) {
        let (label, _) = table.match(.get, Array(path.utf8).span, host: { nil })
        #expect(table.dialect(of: label).name == name)
    }

    @Test(arguments: [PlainRule.challengeRoute.index, -1, 1_000_000, Int.max])
    func `a route that is in no table is refused in the first dialect`(index: Int) {
        #expect(table.dialect(of: RouteLabel(index: index, text: "elsewhere")).name == "first")
    }

    @Test func `a path without case is found in every spelling, and no other is`() {
        let row = DialectRow(.post, "/api/Auth/RefreshToken", .open, ignoresCase: true) { _, _ in
            Reply(status: 204, headers: [], body: [])
        }
        let table = RouteTable([.test("a", row), .test("b", .silent(.post, "/api/auth/refresh"))], app: [])
        func label(_ method: HTTPMethod, _ path: String) -> String {
            let (label, match) = table.match(method, Array(path.utf8).span, host: { nil })
            if case .methodNotAllowed = match { return "405 \(label.text)" }
            return label.text
        }
        for path in [
            "/api/Auth/RefreshToken", "/api/auth/refreshtoken", "/API/AUTH/REFRESHTOKEN", "/aPI/aUTH/rEFRESHtOKEN",
        ] {
            #expect(label(.post, path) == "/api/Auth/RefreshToken")
            #expect(label(.get, path) == "405 /api/Auth/RefreshToken")
        }
        #expect(label(.post, "/api/auth/refresh") == "/api/auth/refresh")
        let long = String(repeating: "A", count: 16_000)
        for path in [
            "/api/Auth/Refresh", "/api/auth/refreshtoken/", "/api/auth/refreshtokens", "/api/auth", "/api", "/",
            "/api/auth/refreshtoken/x", "/api/auth%2Frefreshtoken", "/api/auth/refreshtoke%4E",
            "/api/auth/refreshtoke\u{212A}", "/api@auth/refreshtoken", "/api/auth/refreshtoken\(long)",
            "/\(long)/auth/refreshtoken", "/api/auth/\(long)",
        ] {
            #expect(label(.post, path) == "other", "\(path.prefix(40))")
        }
    }

    @Test func `each ASCII character is read as itself, but for capitals`() throws {
        var index = PathIndex<Bool>(ignoresCase: true)
        index.insert(true, at: try #require(RoutePattern("/api/a.b-c_d~z0/*")))
        let path = Array("/api/a.b-c_d~z0/X".utf8)
        #expect(index.first(path.span) == true)
        for place in path.indices.dropFirst().dropLast(2) {
            for byte in UInt8(0x21)...0x7E where byte != path[place] {
                var other = path
                other[place] = byte
                let isCapital = (0x41...0x5A).contains(byte) && byte + 0x20 == path[place]
                #expect(index.first(other.span) == (isCapital ? true : nil), "\(byte) at \(place)")
            }
        }
    }

    @Test(
        arguments: [
            ("/api/x", "a.example", "third"), ("/api/x", "elsewhere.example", "first"),
            ("/styled/x", "a.example", "second"),
            ("/nowhere", "a.example", "third"), ("/nowhere", "b.example", "fourth"), ("/nowhere", nil, "first"),
            ("/users/me", "a.example", "first"),
        ] as [(String, String?, String)])
    func `who asks at a dialect's host is refused in its shape, where nothing else says whose`(
        path: String, host: String?, name: String
    ) throws {
        let group = UpstreamGroup(
            name: "app", endpoints: [UpstreamEndpoint(host: "127.0.0.1", port: 1)], logger: Logger(label: "test"))
        var styled = try Self.appRoute("/styled/**", methods: nil)
        styled.dialect = "second"
        let table = RouteTable(
            [
                .test("first", .silent(.get, "/users/me")), .test("second"), .test("third", host: "a.example"),
                .test("fourth", host: "b.example"),
            ],
            app: [try Self.appRoute("/api/**", methods: nil), styled].map {
                AppRoute(policy: $0, upstream: group)
            })
        let (label, _) = table.match(.get, Array(path.utf8).span, host: { host })
        #expect(table.dialect(of: label).name == name)
        // Counted under the same label.
        #expect(label.text == table.match(.get, Array(path.utf8).span, host: { nil }).label.text)
    }

    @Test func `at a path that dialects share the host's has the shape, whatever is refused`() {
        let table = RouteTable(
            [
                .test("first", .silent(.post, "/auth/otp/verify")),
                .test("second", host: "a.example", .silent(.post, "/auth/otp/verify")),
                .test("third", host: "b.example", .silent(.post, "/other")),
            ], app: [])
        func name(_ method: HTTPMethod, _ path: String, _ host: String?) -> String {
            table.dialect(of: table.match(method, Array(path.utf8).span, host: { host }).label).name
        }
        for method in [HTTPMethod.post, .get] {
            #expect(name(method, "/auth/otp/verify", "a.example") == "second")
            #expect(name(method, "/auth/otp/verify", nil) == "first")
            // The host's own dialect does not have this path, so the host does not decide.
            #expect(name(method, "/auth/otp/verify", "b.example") == "first")
            #expect(name(method, "/other", "a.example") == "third")
        }
        for index in [-1, Int.min, Int.max] {
            _ = table.dialect(of: RouteLabel(index: index, text: "x"))
        }
    }

    @Test func `where voltyks is spoken what is refused before a head was read is a problem`() {
        for others in [[SpokenDialect](), [SpokenDialect(dialect: GremlinDialect())]] {
            let table = RouteTable(others + [SpokenDialect(dialect: VoltyksDialect())], app: [])
            let reply = table.dialect(of: .other).reply(to: .violation(.headerTimeout))
            #expect(String(decoding: reply.body, as: UTF8.self).contains("\"status\":408"))
        }
    }

    @Test func `the look-up finds each of many paths and nothing else`() throws {
        var index = PathIndex<Int>()
        for number in 0..<500 {
            index.insert(number, at: try #require(RoutePattern("/auth/step\(number)/\(number % 2 == 0 ? "x" : "*")")))
        }
        for number in 0..<500 {
            #expect(index.first(Array("/auth/step\(number)/x".utf8).span) == number)
            #expect(index.first(Array("/auth/step\(number)/y".utf8).span) == (number % 2 == 0 ? nil : number))
            #expect(index.first(Array("/auth/step\(number)".utf8).span) == nil)
        }
    }
}
