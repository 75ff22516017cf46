import NIOCore
import Testing

@testable import GatewayCore

@Suite struct ForwardingTests {
    private func forwarded(_ fields: String, keepsAuthorization: Bool = false) throws -> String {
        let text = "GET / HTTP/1.1\r\nHost: a\r\n\(fields)"
        let head = try RequestHeadParser.parse(Array(text.utf8), limits: .init())
        var buffer = ByteBuffer()
        ForwardedFields.writeRequestFields(of: head, keepsAuthorization: keepsAuthorization, into: &buffer)
        return String(buffer: buffer)
    }

    @Test(arguments: [
        "x-user-id", "x-user-role", "x-session-id", "x-user-anything", "x-request-id", "x-forwarded-for",
        "x-forwarded-host",
        "forwarded", "x-real-ip", "x-latchkey-identity", "latchkey-assertion", "traceparent", "host",
    ])
    func `a client states nobody's identity in any spelling`(name: String) throws {
        for separator in ["-", "_", "."] {
            let spelled = name.replacing("-", with: separator)
            let capitalised = spelled.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
            for spelling in [spelled, spelled.uppercased(), capitalised.joined(separator: "-")] where spelling != "host"
            {
                guard spelling.lowercased() != "host" else { continue }
                #expect(try forwarded("\(spelling): evil\r\n\(spelling): twice\r\n") == "", "\(spelling)")
            }
        }
    }

    @Test func `fields of one connection end there, and those that Connection names`() throws {
        let fields =
            "Connection: keep-alive, X-Secret\r\nX-Secret: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nX-Plain: 2\r\n"
        #expect(try forwarded(fields) == "X-Plain: 2\r\n")
    }

    @Test func `the bearer stays here unless the route keeps it`() throws {
        #expect(try forwarded("Authorization: Bearer t\r\n") == "")
        #expect(try forwarded("Authorization: Bearer t\r\n", keepsAuthorization: true) == "Authorization: Bearer t\r\n")
    }

    @Test func `a valid trace goes on, anything else begins a new one`() {
        let valid = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        #expect(TraceContext.traceID(valid) == "4bf92f3577b34da6a3ce929d0e0e4736")
        for invalid in [
            nil, "", valid.uppercased(), "ff" + valid.dropFirst(2), valid + "-x", String(valid.dropLast()),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
        ] { #expect(TraceContext.traceID(invalid) == nil) }
    }

    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_826_154, "Tue, 29 Feb 2000 12:09:14 GMT"), (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
        ] as [(Int64, String)])
    func `dates are written as RFC 9110 has them`(second: Int64, text: String) {
        #expect(HTTPDate.text(second) == text)
    }
}
