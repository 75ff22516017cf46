import Testing

@testable import Policies

@Suite struct FoldedPatternTests {
    private func fits(_ pattern: String, _ path: String) throws -> Bool {
        let folded = FoldedPattern(try #require(RoutePattern(pattern)))
        return folded.fits(FoldedPath.plain(Array(path.utf8)).span)
    }

    @Test(arguments: [
        "/admin", "/ADMIN", "/aDmIn/x", "/admin/", "/admin//", "/admin.", "/admin...", "/admin ", "/admin. .",
        "/admin.json", "/admin.tar.gz", "/admin.json/", "/Admin.JSON", "/admin .json", " /admin", "/ admin/x",
        "/admin./x", "/admin /x", "/./admin/x", "/admın", "/ADMİN", "/ａｄｍｉｎ", "/adm\u{AD}in", "/adm\u{200B}in",
        "/ádmin", "/admin\u{A0}", "/admin\u{3000}/x",
    ])
    func `what a framework may read as a path of the pattern fits`(path: String) throws {
        let isComposed = path == "/ádmin"
        // A composed letter of another script is another letter; only marks of their own are passed over.
        #expect(try fits("/admin/**", path) == !isComposed)
    }

    @Test(arguments: [
        "/", "/admi", "/admins", "/administrator.json", "/x/admin", "/admin.json/x", "/a.dmin", "/.admin", "/ad min",
        "/admin-json", "/админ",
    ])
    func `other paths do not`(path: String) throws {
        #expect(try !fits("/admin/**", path))
    }

    @Test func `the Kelvin sign and the long s are letters of the alphabet`() throws {
        #expect(try fits("/tasks", "/ta\u{17F}\u{212A}s"))
    }

    @Test(arguments: [
        ("/u/*/secret", "/U/1/Secret.json", true), ("/u/*/secret", "/u/secret", false), ("/u/*", "/u/1/", true),
        ("/u/*", "/u//", false), ("/Users", "/users", true), ("/v1.2/x", "/V1.2/X", true), ("/v1/x", "/v1.2/x", false),
        ("/admin", "/admin/x", false), ("/", "/ ", true), ("/**", "/x", true),
    ])
    func `stars and literals keep their meaning`(pattern: String, path: String, expected: Bool) throws {
        #expect(try fits(pattern, path) == expected)
    }

    @Test(arguments: [
        ("/admin/**", "/**", true), ("/admin/**", "/*/list", true), ("/admin", "/Admin.json", true),
        ("/admin/**", "/user/**", false), ("/admin", "/admin/x", false), ("/a/*/c", "/a/b/**", true),
        ("/", "/**", true),
    ])
    func `patterns meet or do not`(one: String, other: String, expected: Bool) throws {
        let (one, other) = (try #require(RoutePattern(one)), try #require(RoutePattern(other)))
        #expect(FoldedPattern(one).meets(FoldedPattern(other)) == expected)
        #expect(FoldedPattern(other).meets(FoldedPattern(one)) == expected)
    }
}
