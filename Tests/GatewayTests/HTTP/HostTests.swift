import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// `Host` by the grammar of RFC 9110 section 7.2 and RFC 3986 section 3.2.2.
@Suite struct HostTests {
    private func outcome(_ fields: String) -> HeadParsing.Outcome {
        HeadParsing.whole(Array("GET / HTTP/1.1\r\n\(fields)\r\n".utf8))
    }

    private func isAccepted(_ host: String) -> Bool {
        if case .head = outcome("Host: \(host)\r\n") { true } else { false }
    }

    private func isRefused(_ host: String) -> Bool { outcome("Host: \(host)\r\n") == .refused(.badHost) }

    @Test(arguments: ["", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host:\r\n", "Host: \r\n"])
    func `there is exactly one Host, and something in it`(fields: String) {
        #expect(outcome(fields) == .refused(.badHost))
        #expect(HTTPViolation.badHost.status == 400)
    }

    @Test(arguments: [
        "a", "A.Example", "a.example.", "xn--bcher-kva.example", "a_b", "~", "-", "a..b", "!$&'()*+,;=", "a,b", "a%20b",
        "%C3%a9.example", "%41", "127.0.0.1", "256.1.1.1", "1", "v1.x",
    ])
    func `names pass, and so do IPv4 addresses, with every port`(host: String) {
        for port in ["", ":", ":0", ":80", ":00080", ":65535"] { #expect(isAccepted(host + port), "\(host)\(port)") }
    }

    @Test(arguments: [
        "[::1]", "[::]", "[2001:DB8::1]", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7::]", "[::ffff:1.2.3.4]",
        "[1:2:3:4:5:6:1.2.3.4]", "[::1.2.3.4]",
    ])
    func `IPv6 addresses in brackets pass, with every port`(host: String) {
        for port in ["", ":", ":8080", ":65535"] { #expect(isAccepted(host + port), "\(host)\(port)") }
    }

    @Test(arguments: [
        "65536", "99999", "100000", "8o", "-1", "+80", " 80", "80:80", ":80", "0x50", "80/", "80%20", "é",
        "18446744073709551696", "99999999999999999999", "00000000000000065536",
    ])
    func `a port that is no number up to 65535 is refused`(port: String) {
        for host in ["a", "127.0.0.1", "[::1]"] { #expect(isRefused("\(host):\(port)"), "\(host):\(port)") }
    }

    @Test(arguments: [
        "a b", "a\tb", "a/b", "a?b", "a#b", "user@a", "user:secret@a", "a\\b", "a\"", "<a>", "a|b", "a^b", "a`b", "{a}",
        "é", "a%", "a%2", "a%zz", "a%2g", "a%g2", "a%%20", "%", ":", ":80", "::1", "1::2", "http://a", "a]", "a[", "]",
    ])
    func `what is no name is refused`(host: String) { #expect(isRefused(host)) }

    @Test(arguments: [
        "[", "[]", "[]:80", "[:]", "[:::]", "[::1", "[::1]x", "[::1]80", "[::1]]", "[[::1]]", "x[::1]", "[::1]:x",
        "[1::2::3]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7:8::]", "[12345::]", "[g::]", "[ ::1]",
        "[1.2.3.4]", "[a]", "[::1.2.3.256]", "[::1.2.3]", "[::01.2.3.4]", "[1.2.3.4::]", "[fe80::1%25eth0]",
        "[fe80::1%eth0]", "[::1%20]", "[%3A%3A1]", "[v1.x]", "[v1.a:b]", "[::é]",
    ])
    func `brackets hold one IPv6 address without a zone and nothing else`(host: String) { #expect(isRefused(host)) }

    @Test func `a host has 255 bytes at most`() {
        for (fit, long) in [
            (String(repeating: "a", count: 255), "a"), (String(repeating: "%20", count: 85), "%20"),
            (String(repeating: "a", count: 250) + ":8080", "0"),
            ("a:" + String(repeating: "0", count: 253), "0"),
        ] {
            #expect(isAccepted(fit), "\(fit)")
            #expect(isRefused(fit + long), "\(fit + long)")
        }
        #expect(isRefused("[" + String(repeating: ":", count: 10_000) + "]"))
    }

    @Test func `a name is made of the characters that RFC 3986 lists`() {
        let listed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;="
        for byte in UInt8.min...UInt8.max {
            let head = Array("GET / HTTP/1.1\r\nHost: a".utf8) + [byte] + Array("b\r\n\r\n".utf8)
            let isTaken = if case .head = HeadParsing.whole(head) { true } else { false }
            #expect(isTaken == listed.utf8.contains(byte), "\(byte)")
        }
    }
}
