import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// Which cookies of a request are read as a page's.
@Suite struct PageCookiesTests {
    private func read(_ fields: String..., names: CookieNames = .secure) throws -> PageCookies {
        let lines = fields.map { "Cookie: \($0)\r\n" }.joined()
        return PageCookies(try HeadParsing.head("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n").block, named: names)
    }

    @Test func `each cookie is found among others, in whatever order`() throws {
        let cookies = try read(
            "a=1; __Host-latchkey-page=p; b; __Secure-latchkey-refresh=r;__Host-latchkey-access=x.y.z ; c=d=e")
        #expect(cookies.refresh == .text("r") && cookies.page == .text("p") && cookies.access == .text("x.y.z"))
        #expect(!cookies.isEmpty && !cookies.isAmbiguous)
    }

    @Test func `without our cookies there is nothing, whatever else the request has`() throws {
        #expect(try read().isEmpty)
        #expect(try read("", ";;", "a=1; latchkey=2; __Host-latchkey=3").isEmpty)
        #expect(try read(String(repeating: "cookie-of-another=\"a value\"; ", count: 100)).isEmpty)
        #expect(try read("a=" + String(repeating: "x", count: 16_384) + "; b=2").isEmpty)
    }

    @Test func `a cookie is found behind a hundred others, and behind sixteen kilobytes`() throws {
        let many = (0..<100).map { "c\($0)=\($0)" }.joined(separator: "; ")
        #expect(try read(many + "; __Host-latchkey-page=p").page == .text("p"))
        let long = "a=" + String(repeating: "x", count: 16_384)
        #expect(try read(long + "; __Host-latchkey-page=p").page == .text("p"))
    }

    @Test(arguments: [
        "__host-latchkey-page=p", "__HOST-LATCHKEY-PAGE=p", "__Host-Latchkey-Page=p", "__Host-latchkey-page =p",
        "__Secure-latchkey-page=p", "latchkey-page=p", "x__Host-latchkey-page=p", "=__Host-latchkey-page=p",
    ])
    func `a name in any other spelling is not ours`(_ field: String) throws { #expect(try read(field).isEmpty) }

    @Test func `quotes are a part of the value`() throws {
        #expect(try read("__Host-latchkey-page=\"p\"").page == .text("\"p\""))
    }

    @Test func `an empty cookie counts as none, but once`() throws {
        let cookies = try read("__Host-latchkey-page=; __Host-latchkey-access=a")
        #expect(cookies.page == .empty && !cookies.isEmpty && !cookies.isAmbiguous)
        #expect(try read("__Host-latchkey-page=; __Host-latchkey-page=p").isAmbiguous)
    }

    @Test(arguments: ["p", "q"]) func `the same name twice is ambiguous, with one value or two`(_ second: String) throws
    {
        let one = try read("__Host-latchkey-page=p; a=1; __Host-latchkey-page=\(second)")
        #expect(one.page == .ambiguous && one.isAmbiguous && one.page.text == nil)
        // HTTP/2 may split the cookies over several fields.
        #expect(try read("__Host-latchkey-page=p", "__Host-latchkey-page=\(second)").isAmbiguous)
        #expect(try read("__Host-latchkey-page=p", "__Host-latchkey-access=\(second)").isAmbiguous == false)
    }

    @Test(arguments: [
        ("Cookie: a=1; b=2\r\nCookie: sid=latchkey\r\n", false), ("", false), ("X-Cookie: latchkey-page=p\r\n", false),
        ("Cookie: a=1\r\ncookie: b=2; __Host-latchkey-access=x\r\n", true), ("Cookie: latchkey-page=p\r\n", true),
    ])
    func `a request with none of ours is known before any cookie is read`(_ fields: String, _ hasOurs: Bool) throws {
        let head = try HeadParsing.head("GET / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        #expect(head.hasOwnCookies == hasOurs)
    }

    @Test func `without TLS the names have no prefix, and those with one are not read`() throws {
        let cookies = try read("latchkey-page=p; __Host-latchkey-page=q; latchkey-refresh=r", names: .plain)
        #expect(cookies.page == .text("p") && cookies.refresh == .text("r"))
    }
}
