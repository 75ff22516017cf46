import Testing

@testable import Policies

@Suite struct RoutePatternTests {
    @Test(arguments: [
        ("/api/**", "/api", true), ("/api/**", "/api/", true), ("/api/**", "/api/a/b", true),
        ("/api/**", "/apis", false),
        ("/api/**", "/API/a", false), ("/api/**", "/", false), ("/**", "/", true), ("/**", "/x/y", true),
        ("/", "/", true),
        ("/", "/a", false), ("/a", "/a", true), ("/a", "/a/", false), ("/a", "/a/b", false), ("/u/*/x", "/u/1/x", true),
        ("/u/*/x", "/u//x", false), ("/u/*/x", "/u/1/2/x", false), ("/u/*", "/u/", false), ("/u/*/**", "/u/1", true),
        ("/u/*/**", "/u", false), ("/a", "a", false), ("/a", "", false), ("/caf", "/cafe\u{301}", false),
    ])
    func `a pattern fits a path or not`(_ pattern: String, _ path: String, _ fits: Bool) throws {
        #expect(try #require(RoutePattern(pattern)).matches(Array(path.utf8).span) == fits)
    }

    @Test(arguments: [("/api/**", "/api"), ("/a/b/*/c", "/a/b"), ("/**", ""), ("/", ""), ("/a", "/a")])
    func `the literal prefix is what stripping takes away`(_ pattern: String, _ prefix: String) throws {
        #expect(try #require(RoutePattern(pattern)).literalPrefix == prefix)
    }

    @Test(arguments: [
        ("/**", "/a/*/b", true), ("/a/**", "/a", true), ("/a/**", "/a/**", true), ("/a/*", "/a/b", true),
        ("/a/b", "/a/*", false), ("/a", "/a/**", false), ("/a/*/**", "/a/**", false), ("/a/**", "/b/**", false),
        ("/a", "/a", true), ("/a/*", "/a/b/c", false),
    ])
    func `a pattern covers another one or not`(_ pattern: String, _ other: String, _ covers: Bool) throws {
        #expect(try #require(RoutePattern(pattern)).covers(try #require(RoutePattern(other))) == covers)
    }

    @Test func `a pattern is bounded in length and segments`() {
        #expect(RoutePattern("/" + String(repeating: "a", count: RoutePattern.lengthMax)) == nil)
        #expect(RoutePattern(String(repeating: "/a", count: RoutePattern.segmentCountMax + 1)) == nil)
        #expect(RoutePattern(String(repeating: "/a", count: RoutePattern.segmentCountMax)) != nil)
    }
}
