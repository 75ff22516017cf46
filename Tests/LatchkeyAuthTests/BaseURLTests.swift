import Foundation
import Testing

@testable import LatchkeyAuth

@Suite struct BaseURLTests {
    private func base(_ text: String, allowsHTTP: Bool = true) throws -> BaseURL {
        BaseURL(try #require(URL(string: text)), allowsHTTP: allowsHTTP)
    }

    @Test(arguments: [
        "https://api.example.com", "https://api.example.com/", "https://example.com:8443/auth", "http://127.0.0.1:8080",
        "http://localhost", "http://[::1]:8080", "http://10.0.2.2:8080", "http://192.168.1.7", "http://172.16.0.1",
        "http://172.31.255.255", "HTTPS://API.EXAMPLE.COM",
    ])
    func `a debug build sends here`(_ text: String) throws { #expect(try base(text).url("/x") != nil) }

    @Test(arguments: [
        "http://api.example.com", "http://8.8.8.8", "http://172.15.0.1", "http://172.32.0.1", "http://192.169.1.1",
        "http://127.0.0.1.example.com", "http://10.example.com", "http://1010.0.0.1", "ftp://127.0.0.1",
        "file:///etc/passwd",
        "http://localhost.example.com", "http://127.0.0.1@example.com",
    ])
    func `nothing is sent here`(_ text: String) throws { #expect(try base(text).url("/x") == nil) }

    @Test(arguments: ["http://127.0.0.1:8080", "http://localhost", "http://10.0.2.2"])
    func `a release build uses https only`(_ text: String) throws {
        #expect(try base(text, allowsHTTP: false).url("/x") == nil)
    }

    @Test(arguments: [
        ("https://api.example.com/users/me", true), ("https://api.example.com:443/x", true),
        ("https://API.example.com/x", true),
        ("https://other.example.com/x", true), ("http://api.example.com/x", false),
        ("https://api.example.com:444/x", false),
        ("http://other.example.com/x", false), ("https://api.example.com.evil.test/x", false),
        ("https://api.example.com@evil.test/x", false), ("https://evil.test/?https://api.example.com", false),
    ])
    func `the token goes to this server and the hosts named`(_ target: String, _ isAllowed: Bool) throws {
        let base = try base("https://api.example.com", allowsHTTP: false)
        let url = try #require(URL(string: target))
        #expect(base.mayKnowToken(url, otherHosts: ["other.example.com"]) == isAllowed)
    }
}
