import NIOCore
import Testing

@testable import EdgeHTTP
@testable import GatewayCore
@testable import Policies

@Suite struct CrossOriginTests {
    private static func rule(credentials: Bool = false) -> CrossOrigin {
        var policy = CrossOriginPolicy()
        policy.origins = ["https://admin.example.com"]
        policy.credentials = credentials
        return CrossOrigin(policy)
    }

    private static func lines(_ fields: String) throws -> String {
        let head = try HeadParsing.head("GET /api/x HTTP/1.1\r\nHost: a\r\n\(fields)\r\n")
        return String(decoding: rule(credentials: true).lines(for: head), as: UTF8.self)
    }

    private static func preflight(_ line: String, _ fields: String) throws -> Reply? {
        rule().preflight(try HeadParsing.head("\(line) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"))
    }

    @Test func `an allowed origin is named in every answer`() throws {
        let lines = try Self.lines("Origin: https://admin.example.com\r\n")
        #expect(lines.contains("Access-Control-Allow-Origin: https://admin.example.com\r\n"))
        #expect(lines.contains("Access-Control-Allow-Credentials: true\r\n"))
        #expect(lines.contains("Access-Control-Expose-Headers: Date, Retry-After, X-Request-Id\r\n"))
        #expect(lines.hasSuffix("Vary: Origin\r\n"))
    }

    @Test func `the headers of a dialect's clients join those of the policy, each once`() throws {
        var policy = CrossOriginPolicy()
        policy.origins = ["https://admin.example.com"]
        let dialect = SupabaseDialect()
        let rule = CrossOrigin(policy, exposing: dialect.exposedHeaders, allowing: dialect.allowedHeaders)
        let exposed = String(decoding: rule.lines(origin: "https://admin.example.com"), as: UTF8.self)
        #expect(exposed.contains("X-Supabase-Api-Version") && exposed.contains("X-Total-Count, Link"))
        #expect(exposed.ranges(of: "Retry-After").count == 1)
        let head = try HeadParsing.head(
            "OPTIONS /auth/v1/otp HTTP/1.1\r\nHost: a\r\nOrigin: https://admin.example.com\r\n"
                + "Access-Control-Request-Method: POST\r\n\r\n")
        let allowed = try #require(rule.preflight(head)).headers.first { $0.0 == "Access-Control-Allow-Headers" }?.1
        let names = allowed?.lowercased().split(separator: ", ") ?? []
        #expect(names.contains("apikey") && names.contains("x-client-info"))
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: [
        "", "Origin: https://evil.example\r\n", "Origin: null\r\n", "Origin: HTTPS://admin.example.com\r\n",
        "Origin: https://admin.example.com.evil.example\r\n",
        "Origin: https://admin.example.com\r\nOrigin: https://admin.example.com\r\n",
    ])
    func `anybody else gets no leave`(fields: String) throws {
        #expect(try Self.lines(fields) == "Vary: Origin\r\n")
    }

    @Test func `a browser that asks first is told what it may do`() throws {
        let fields = "Origin: https://admin.example.com\r\nAccess-Control-Request-Method: PATCH\r\n"
        let reply = try #require(try Self.preflight("OPTIONS /users/me", fields))
        let headers = Dictionary(reply.headers, uniquingKeysWith: { first, _ in first })
        #expect(reply.status == 204)
        #expect(headers["Access-Control-Allow-Origin"] == "https://admin.example.com")
        #expect(headers["Access-Control-Allow-Methods"]?.contains("PATCH") == true)
        let allowed = "Authorization, Content-Type, Idempotency-Key, Latchkey-Client, X-Device-Fingerprint"
        #expect(headers["Access-Control-Allow-Headers"] == allowed)
        #expect(headers["Access-Control-Max-Age"] == "600")
        #expect(headers["Access-Control-Allow-Credentials"] == nil)
    }

    @Test func `a foreign origin's question is answered without leave`() throws {
        let fields = "Origin: https://evil.example\r\nAccess-Control-Request-Method: GET\r\n"
        let reply = try #require(try Self.preflight("OPTIONS /api/x", fields))
        #expect(!reply.headers.contains { $0.0.hasPrefix("Access-Control") })
    }

    @Test(arguments: [
        ("OPTIONS /api/x", "Origin: https://admin.example.com\r\n"),
        ("GET /api/x", "Origin: https://admin.example.com\r\nAccess-Control-Request-Method: GET\r\n"),
        ("OPTIONS /api/x", "Access-Control-Request-Method: GET\r\n"),
    ])
    func `other requests are no such question`(line: String, fields: String) throws {
        #expect(try Self.preflight(line, fields) == nil)
    }
}
