import Policies
import TestSupport
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Returns the dialect chosen among those that share a path: by the host, then the body's members, then their order.
@Suite struct SharedPathTests {
    private func chosen(_ spoken: [SpokenDialect], host: String? = nil, body: String = "") -> String? {
        let table = RouteTable(spoken, app: [])
        guard case .own(let rows) = table.match(.post, Array("/auth/refresh".utf8).span, host: { host }).match else {
            return nil
        }
        return rows.chosen(by: JSONBody(Array(body.utf8))).dialect.name
    }

    private func row(_ members: Set<String> = []) -> DialectRow { .silent(.post, "/auth/refresh", members: members) }

    @Test func `a host takes its own requests, and no others while somebody else may`() {
        let spoken = [
            SpokenDialect.test("a", host: "a.example", row()), SpokenDialect.test("b", row()),
            SpokenDialect.test("c", host: "c.example", row()),
        ]
        #expect(chosen(spoken, host: "a.example") == "a")
        #expect(chosen(spoken, host: "c.example") == "c")
        #expect(chosen(spoken, host: "elsewhere.example") == "b")
        #expect(chosen(spoken, host: nil) == "b")
        #expect(chosen([spoken[0], spoken[2]], host: "elsewhere.example") == "a")
    }

    @Test(arguments: [
        ("a.example", "a.example"), ("A.Example:8080", "a.example"), ("[::1]:80", "[::1]"), ("[::1]", "[::1]"),
        ("127.0.0.1:80", "127.0.0.1"), ("a.example:", "a.example"),
    ])
    func `a host is compared without case and port`(field: String, name: String) throws {
        #expect(try HeadParsing.head("GET / HTTP/1.1\r\nHost: \(field)\r\n\r\n").hostName == name)
    }

    @Test func `the body's members decide where no host does`() {
        let spoken = [
            SpokenDialect.test("camel", row(["refreshToken"])), SpokenDialect.test("snake", row(["refresh_token"])),
        ]
        #expect(chosen(spoken, body: #"{"refresh_token":"t"}"#) == "snake")
        #expect(chosen(spoken, body: #"{"refreshToken":"t","x":1}"#) == "camel")
        // Both or none: the first.
        #expect(chosen(spoken, body: #"{"refresh_token":"t","refreshToken":"t"}"#) == "camel")
        for body in ["", "{}", "[]", "nonsense", #"{"x":{"refresh_token":1}}"#] {
            #expect(chosen(spoken, body: body) == "camel")
        }
    }

    @Test func `a row that names no members is for what the others do not claim`() {
        let spoken = [SpokenDialect.test("rest", row()), SpokenDialect.test("snake", row(["refresh_token"]))]
        #expect(chosen(spoken, body: #"{"refresh_token":"t"}"#) == "snake")
        #expect(chosen(spoken, body: #"{"refreshToken":"t"}"#) == "rest")
    }

    @Test func `rows that nobody can reach are named`() {
        func clashes(_ spoken: SpokenDialect..., routes: [Route] = []) -> [String] {
            PathListing(spoken, routes: routes, file: "a.yaml").clashes.map(\.message)
        }
        #expect(
            clashes(.test("a", row()), .test("b", row())) == [
                "POST /auth/refresh of b is never reached; a takes the same requests"
            ])
        #expect(clashes(.test("a", row(["t", "u"])), .test("b", row(["t"]))).count == 1)
        #expect(clashes(.test("a", row(["t"])), .test("b", row(["t", "u"]))) == [])
        #expect(clashes(.test("a", row(["t"])), .test("b", row())).count == 1)
        #expect(clashes(.test("a", row()), .test("b", host: "b.example", row())) == [])
        #expect(clashes(.test("a", row()), .test("b", row(["t"]))) == [])
        #expect(
            clashes(.test("a", row()), .test("b", .silent(.post, "/auth/refresh", .bearer, members: ["t"]))).first?
                .contains("lets in others") == true)
        #expect(clashes(.test("a", row()), .test("b", .silent(.get, "/auth/refresh"))) == [])
    }

    @Test func `a route of the app's below a path of ours is named`() throws {
        let route = Route(pattern: try #require(RoutePattern("/auth/refresh")), upstream: "app", access: .open)
        let clashes = PathListing([.test("a", row())], routes: [route], file: "a.yaml").clashes
        #expect(clashes.first?.description.hasPrefix("a.yaml:0: routes: the route /auth/refresh is never") == true)
    }

    @Test(arguments: ["howru", "aarokya", "voltyks", "gremlin", "uta"]) func `the shipped policies do not clash`(
        name: String
    ) throws {
        let policy = try Policy.load(named: name, directory: "deploy/policies")
        let listing = PathListing(of: policy)
        #expect(listing.clashes == [])
        let native = try #require(SpokenDialect.all(of: policy).first { $0.dialect.name == "native" })
        // What uta has too is uta's.
        let hidden = name == "uta" ? 12 : 0
        #expect(listing.paths.count { $0.dialect == "native" } == native.rows.count - hidden)
    }

    @Test func `no order of the shipped dialects clashes`() {
        let spoken = [SpokenDialect(dialect: NativeDialect()), SpokenDialect(dialect: AarokyaDialect())]
        #expect(PathListing(spoken, routes: [], file: "").clashes == [])
        #expect(PathListing(spoken.reversed(), routes: [], file: "").clashes == [])
    }

    @Test(arguments: ["voltyks", "gremlin", "uta"]) func `without codes no dialect has their paths`(name: String) throws
    {
        let paths = PathListing(of: try Policy.load(named: name, directory: "deploy/policies")).paths.map(\.path)
        #expect(!paths.contains { $0.hasPrefix("/auth/otp") || $0.contains("twilio") })
        #expect(AarokyaDialect(sendsCodes: false).rows.map(\.pattern.text).allSatisfy { !$0.contains("otp") })
    }

    @Test func `uta stands before native or has a host of its own`() {
        let passwords = NativePasswords(appName: "A", texts: .english)
        let native = SpokenDialect(dialect: NativeDialect(passwords: passwords))
        func clashes(_ spoken: [SpokenDialect]) -> [String] {
            PathListing(spoken, routes: [], file: "").clashes.map(\.message)
        }
        let uta = UtaDialect(passwords: passwords)
        #expect(clashes([SpokenDialect(dialect: uta), native]) == [])
        #expect(clashes([native, SpokenDialect(dialect: uta, host: "uta.example")]) == [])
        let hidden = clashes([native, SpokenDialect(dialect: uta)])
        #expect(hidden.contains("POST /auth/login of uta is never reached; native takes the same requests"))
        #expect(hidden.count == 12, "\(hidden)")
    }

    @Test func `a path without case takes the app's routes of every spelling`() throws {
        let row = DialectRow(.post, "/api/Auth/Login", .open, ignoresCase: true) { _, _ in
            Reply(status: 204, headers: [], body: [])
        }
        let spoken = SpokenDialect.test("a", row)
        for (path, count) in [("/api/auth/LOGIN", 1), ("/api/auth/login2", 0), ("/api/**", 0)] {
            let route = Route(pattern: try #require(RoutePattern(path)), upstream: "app", access: .open)
            #expect(PathListing([spoken], routes: [route], file: "").clashes.count == count, "\(path)")
        }
        #expect(
            PathListing([spoken, .test("b", .silent(.post, "/api/auth/login"))], routes: [], file: "").clashes.count
                == 1)
    }

    @Test func `a code goes to the dialect whose members it comes with`() throws {
        let spoken = [SpokenDialect(dialect: NativeDialect()), SpokenDialect(dialect: AarokyaDialect())]
        for order in [spoken, spoken.reversed()] {
            let match = RouteTable(order, app: []).match(.post, Array("/auth/otp/verify".utf8).span, host: { nil })
                .match
            guard case .own(let rows) = match else {
                Issue.record("the path is not ours")
                return
            }
            let chosen = { (body: String) in rows.chosen(by: JSONBody(Array(body.utf8))).dialect.name }
            #expect(chosen(#"{"phone":"9876543210","otp":"123456"}"#) == "aarokya")
            #expect(chosen(#"{"otp":"123456"}"#) == "aarokya")
            #expect(chosen(#"{"phoneNumber":"+15551234567","code":"123456"}"#) == "native")
            // No dialect or both recognise it: the policy's first.
            #expect(chosen(#"{}"#) == order[0].dialect.name)
            #expect(chosen(#"{"phone":"1","phoneNumber":"1"}"#) == order[0].dialect.name)
        }
    }
}
