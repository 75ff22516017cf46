import Testing

@testable import Policies

@Suite struct StrictnessTests {
    private func findings(_ rows: [String]) -> [String] {
        PolicyText.findings(
            PolicyText.minimal + "upstreams: { app: http://a, other: http://b }\nroutes:\n"
                + rows.map { "  - { \($0) }\n" }.joined())
    }

    @Test(arguments: [
        (Route.Access.open, Route.Access.open, false), (.open, .bearer, false), (.bearer, .open, true),
        (.bearer, .bearer, false), (.bearer, .role(["a"]), false), (.role(["a"]), .bearer, true),
        (.role(["a"]), .role(["a"]), false), (.role(["a"]), .role(["a", "b"]), true),
        (.role(["a", "b"]), .role(["a"]), false), (.optional, .open, true), (.open, .optional, false),
        (.optional, .optional, false), (.optional, .bearer, false), (.bearer, .optional, true),
        (.role(["a"]), .optional, true), (.optional, .role(["a"]), false), (.client, .open, true),
        (.client, .optional, true), (.client, .bearer, true), (.client, .role(["a"]), true), (.client, .client, false),
        (.open, .client, false), (.optional, .client, true), (.bearer, .client, true), (.role(["a"]), .client, true),
    ])
    func `an access is stricter when it refuses somebody`(mine: Route.Access, theirs: Route.Access, expected: Bool) {
        #expect(mine.isStricter(than: theirs) == expected)
    }

    @Test func `fewer methods and a limit of its own are stricter too`() throws {
        let plain = Route(pattern: .none, upstream: "app", access: .bearer)
        var some = plain
        some.methods = ["GET"]
        var limited = plain
        limited.limit = .init(rate: RateLimit(max: 1, windowSeconds: 1), caller: .user)
        #expect(some.isStricter(than: plain) && !plain.isStricter(than: some))
        #expect(limited.isStricter(than: plain) && !plain.isStricter(than: limited))
        #expect(!limited.isStricter(than: limited) && !plain.isStricter(than: plain))
    }

    @Test func `a row that refuses people who act as users is stricter than one that admits them`() {
        let none = Route(pattern: .none, upstream: "app", access: .bearer)
        let open = Route(pattern: .none, upstream: "app", access: .open)
        var (read, write) = (none, none)
        (read.actAs, write.actAs) = (.read, .write)
        let weakest = [write, read, none]
        for (index, mine) in weakest.enumerated() {
            for (other, theirs) in weakest.enumerated() {
                #expect(mine.isStricter(than: theirs) == (index > other), "\(index) \(other)")
            }
            #expect(!open.isStricter(than: mine) && mine.isStricter(than: open))
        }
    }

    @Test func `only a stricter row is a rival, whether it is exact or not`() {
        let open = Route(pattern: .none, upstream: "app", access: .open)
        var bearer = Route(pattern: .none, upstream: "app", access: .bearer)
        #expect(open.rivals(among: [open, bearer]) == [bearer])
        #expect(bearer.rivals(among: [open, bearer]).isEmpty)
        bearer.isExact = true
        #expect(open.rivals(among: [open, bearer]) == [bearer])
    }

    private static let admin = "path: /admin/**, upstream: app, access: { role: [admin] }"

    @Test(arguments: [
        "path: /pub/**, upstream: app, access: open, stripPrefix: true",
        "path: /pub/*/list, upstream: app, access: bearer, stripPrefix: true",
        "path: /pub/x/**, upstream: app, access: open, stripPrefix: true",
    ])
    func `taking a prefix away into a stricter row's paths is refused`(row: String) {
        let findings = findings([Self.admin, row])
        #expect(findings.count == 1)
        #expect(findings.first?.contains("routes[1].stripPrefix: ") == true)
        #expect(findings.first?.contains("reaches /admin/** of upstream app, which /admin/** protects") == true)
    }

    @Test(arguments: [
        ["path: /pub/**, upstream: other, access: open, stripPrefix: true"],
        ["path: /pub/**, upstream: app, access: open"],
        ["path: /pub/**, upstream: app, access: { role: [admin] }, stripPrefix: true"],
        [
            "path: /pub/admin/**, upstream: other, access: { role: [admin] }",
            "path: /pub/**, upstream: app, access: open, stripPrefix: true",
        ],
        ["path: /pub, upstream: app, access: open, stripPrefix: true"],
        ["path: /**, upstream: app, access: open, stripPrefix: true"],
    ])
    func `other rows beside it are not`(rows: [String]) {
        #expect(findings([Self.admin] + rows).isEmpty, "\(findings([Self.admin] + rows))")
    }
}
