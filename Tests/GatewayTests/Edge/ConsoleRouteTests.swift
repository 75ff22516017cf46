import CryptoPrimitives
import Logging
import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

/// The way to the console: tickets with browsers' addresses, other sites' requests, and the cookie.
@Suite struct ConsoleRouteTests {
    private static let endpoint = UpstreamEndpoint(host: "10.0.0.1", port: 8084)

    private static func route(
        _ secrets: String = "k1 0123456789abcdefghijABCDEFGHIJ9876543210zyxw"
    ) throws -> ConsoleRoute {
        ConsoleRoute(
            UpstreamGroup(name: "console", endpoints: [endpoint], logger: Logger(label: "test")),
            keys: try KeyRing(parsing: secrets), publicOrigin: "https://auth.example.com")
    }

    @Test func `a ticket states its address for a minute, to gateways with the same key`() throws {
        let route = try Self.route()
        for address in ["192.0.2.7", "2001:db8::1", "unix"] {
            let ticket = route.ticket(for: address, now: 1_000)
            #expect(
                route.address(in: ticket, now: 1_000) == address && route.address(in: ticket, now: 1_059) == address)
            #expect(route.address(in: ticket, now: 1_060) == nil && route.address(in: ticket, now: 800) == nil)
            #expect(
                try Self.route("k1 9876543210ABCDEFGHIJabcdefghij0123456789zyxw").address(in: ticket, now: 1_000) == nil
            )
        }
    }

    @Test func `no part of a ticket can be changed`() throws {
        let route = try Self.route()
        let parts = route.ticket(for: "192.0.2.7", now: 1_000).split(separator: ";").map(String.init)
        let joined = { (parts: [String]) in route.address(in: parts.joined(separator: ";"), now: 1_000) }
        #expect(parts.count == 4 && joined(parts) == "192.0.2.7")
        for (index, value) in [
            (0, "10.0.0.1"), (1, "1061"), (1, "99999999999999999999"), (2, "k2"), (3, ""), (3, "AAAA"),
        ] {
            var forged = parts
            forged[index] = value
            #expect(joined(forged) == nil, "\(forged)")
        }
        #expect(joined(parts + ["x"]) == nil && joined([]) == nil && joined(["192.0.2.7"]) == nil)
        // The code of a ticket is none of an assertion, which has the same key.
        let code = try KeyRing(parsing: "k1 0123456789abcdefghijABCDEFGHIJ9876543210zyxw").signing.hmac
        #expect(
            joined(["192.0.2.7", "1060", "k1", Base64URL.encode(code.authenticate(Array("192.0.2.7\n1060".utf8)))])
                == nil)
    }

    @Test(arguments: [
        ("POST", "Origin: https://auth.example.com", false), ("POST", "Origin: https://inner.example.com", false),
        ("POST", "Origin: https://evil.example", true), ("POST", "Origin: null", true), ("POST", "X: y", true),
        ("POST", "Origin: https://auth.example.com\r\nSec-Fetch-Site: cross-site", true),
        ("POST", "Origin: https://auth.example.com\r\nOrigin: https://auth.example.com", true),
        ("GET", "X: y", false), ("GET", "Sec-Fetch-Site: same-origin", false),
        ("GET", "Origin: https://evil.example\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: cors", true),
        ("GET", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image", true),
        ("GET", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document", false),
    ])
    func `forms come from the console's own pages`(_ method: String, _ fields: String, _ isRefused: Bool) throws {
        let head = try HeadParsing.head(
            "\(method) /console HTTP/1.1\r\nHost: inner.example.com\r\n\(fields)\r\nContent-Length: 0\r\n\r\n")
        #expect(try Self.route().refuses(head, over: .https) == isRefused)
    }

    @Test func `the console gets its cookie and one ticket, and an upstream of the app neither`() throws {
        let head = try HeadParsing.head(
            "GET /console?a=b HTTP/1.1\r\nHost: a\r\nCookie: x=1; __Host-latchkey-console=s\r\nAuthorization: Bearer t\r\n"
                + "Latchkey-Console: forged\r\nlatchkey_console: forged\r\n\r\n")
        let own = try Self.route().plan(head, clientAddress: "192.0.2.7", scheme: .https)
        let app = ProxyPlan(
            upstream: own.upstream, target: Array(head.target), clientAddress: "192.0.2.7", identityLines: [],
            keepsAuthorization: false, bodyBytesMax: nil, timeoutSeconds: 5)
        func sent(_ plan: ProxyPlan) -> String {
            var seed = SeededGenerator(seed: 1)
            var ids = IdentifierSource(seededFrom: &seed)
            let id = RequestID(from: &ids)
            return String(buffer: ProxyMessages.request(head, plan: plan, to: Self.endpoint, id: id, ids: &ids))
        }
        let message = sent(own)
        #expect(message.hasPrefix("GET /console?a=b HTTP/1.1\r\n") && message.contains("__Host-latchkey-console=s"))
        #expect(!message.contains("forged") && message.contains("Latchkey-Console: 192.0.2.7;"))
        #expect(!message.contains("Bearer t") && message.contains("X-Forwarded-Proto: https\r\n"))
        #expect(!sent(app).contains("latchkey-console=s") && sent(app).contains("Cookie: x=1\r\n"))
    }
}
