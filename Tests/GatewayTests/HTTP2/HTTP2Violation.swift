@testable import EdgeHTTP

/// A request of HTTP/2 that breaks a rule of its fields, with the rule that it breaks.
struct HTTP2Violation: Sendable, CustomStringConvertible {
    let name: String
    let fields: [(String, String)]
    let reason: HTTPViolation
    var endsStream = true

    var description: String { name }

    /// The head of HTTP/1.1 that a gateway without checks would send.
    var handedOn: String {
        func pseudo(_ name: String) -> String { fields.last { $0.0 == name }?.1 ?? "" }
        let lines = fields.filter { !$0.0.hasPrefix(":") }.map { "\($0.0): \($0.1)\r\n" }.joined()
        return "\(pseudo(":method")) \(pseudo(":path")) HTTP/1.1\r\nhost: \(pseudo(":authority"))\r\n\(lines)\r\n"
    }

    static func usual(_ method: String = "GET", _ path: String = "/a") -> [(String, String)] {
        [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)]
    }

    static let usual = usual()

    private static func adding(
        _ name: String, _ fields: (String, String)..., reason: HTTPViolation
    ) -> HTTP2Violation {
        HTTP2Violation(name: name, fields: usual + fields, reason: reason)
    }

    private static func path(_ path: String, _ reason: HTTPViolation) -> HTTP2Violation {
        HTTP2Violation(name: "path \(path.debugDescription)", fields: usual("GET", path), reason: reason)
    }

    private static func without(_ pseudo: String, _ reason: HTTPViolation = .badPseudoHeader) -> HTTP2Violation {
        HTTP2Violation(name: "no \(pseudo)", fields: usual.filter { $0.0 != pseudo }, reason: reason)
    }

    private static func replacing(_ pseudo: String, _ value: String, _ reason: HTTPViolation) -> HTTP2Violation {
        HTTP2Violation(
            name: "\(pseudo) \(value.debugDescription)", fields: usual.map { $0.0 == pseudo ? (pseudo, value) : $0 },
            reason: reason)
    }

    static let all: [HTTP2Violation] = ofPseudoHeaders + ofFields + ofTargets + ofLengths

    private static let ofPseudoHeaders: [HTTP2Violation] = [
        without(":method"), without(":scheme"), without(":path"), without(":authority", .badHost),
        adding("second method", (":method", "POST"), reason: .badPseudoHeader),
        adding("second path", (":path", "/b"), reason: .badPseudoHeader),
        adding("second authority", (":authority", "localhost"), reason: .badPseudoHeader),
        adding("a response's status", (":status", "200"), reason: .badPseudoHeader),
        adding("protocol", (":protocol", "websocket"), reason: .badPseudoHeader),
        adding("unknown pseudo-header", (":secret", "1"), reason: .badPseudoHeader),
        adding("nameless pseudo-header", (":", "1"), reason: .badPseudoHeader),
        adding("pseudo-header in capitals", (":Path", "/b"), reason: .badPseudoHeader),
        HTTP2Violation(
            name: "pseudo-header after a field", fields: [("x-a", "b")] + usual, reason: .badPseudoHeader),
        HTTP2Violation(
            name: "pseudo-header after a cookie", fields: [("cookie", "a=b")] + usual, reason: .badPseudoHeader),
        replacing(":scheme", "ftp", .badPseudoHeader), replacing(":scheme", "", .badPseudoHeader),
        replacing(":method", "", .badPseudoHeader), replacing(":method", "GET /b", .badPseudoHeader),
        replacing(":method", "GET\r\nX: y", .badPseudoHeader), replacing(":method", "get", .unknownMethod),
        replacing(":method", "BREW", .unknownMethod), replacing(":method", "TRACE", .forbiddenMethod),
        replacing(":method", "G(T", .malformedStartLine),
        HTTP2Violation(
            name: "CONNECT", fields: [(":method", "CONNECT"), (":authority", "localhost:443")],
            reason: .forbiddenMethod),
        HTTP2Violation(
            name: "extended CONNECT",
            fields: usual("CONNECT") + [(":protocol", "websocket")], reason: .badPseudoHeader),
        replacing(":authority", "", .badPseudoHeader), replacing(":authority", "user@localhost", .badHost),
        replacing(":authority", "localhost/b", .badHost), replacing(":authority", "localhost:99999", .badHost),
        replacing(":authority", "a b", .badPseudoHeader),
    ]

    private static let ofFields: [HTTP2Violation] = [
        adding("capital in a name", ("X-a", "b"), reason: .malformedHeader),
        adding("empty name", ("", "b"), reason: .malformedHeader),
        adding("blank in a name", ("x a", "b"), reason: .malformedHeader),
        adding("colon in a name", ("x:a", "b"), reason: .malformedHeader),
        adding("line end in a name", ("x-a: b\r\nx-b", "c"), reason: .malformedHeader),
        adding("letters in a name that are not ASCII", ("x-\u{E9}", "b"), reason: .malformedHeader),
        adding("line end in a value", ("x-a", "b\r\nhost: evil"), reason: .malformedHeader),
        adding("LF in a value", ("x-a", "b\nhost: evil"), reason: .malformedHeader),
        adding("CR in a value", ("x-a", "b\rc"), reason: .malformedHeader),
        adding("NUL in a value", ("x-a", "b\0"), reason: .malformedHeader),
        adding("blank before a value", ("x-a", " b"), reason: .malformedHeader),
        adding("tab after a value", ("x-a", "b\t"), reason: .malformedHeader),
        adding("a value that was no UTF-8", ("x-a", "b\u{FFFD}"), reason: .malformedHeader),
        adding("line end in a cookie", ("cookie", "a=b\r\nx: y"), reason: .malformedHeader),
        adding("connection", ("connection", "close"), reason: .connectionField),
        adding("proxy-connection", ("proxy-connection", "keep-alive"), reason: .connectionField),
        adding("keep-alive", ("keep-alive", "timeout=5"), reason: .connectionField),
        adding("transfer-encoding", ("transfer-encoding", "chunked"), reason: .connectionField),
        adding("upgrade", ("upgrade", "h2c"), reason: .connectionField),
        adding("http2-settings", ("http2-settings", "AAMAAABkAAQAAP__"), reason: .connectionField),
        adding("te other than trailers", ("te", "gzip"), reason: .connectionField),
        adding("te with more than trailers", ("te", "trailers, gzip"), reason: .connectionField),
        adding("another host", ("host", "evil.example"), reason: .badHost),
        adding("another port", ("host", "localhost:444"), reason: .badHost),
        adding("two hosts", ("host", "localhost"), ("host", "localhost"), reason: .badHost),
        adding("a name that a server may read as a length", ("content_length", "5"), reason: .framingLookalike),
        adding("other expectation", ("expect", "200-ok"), reason: .badExpectation),
    ]

    private static let ofTargets: [HTTP2Violation] = [
        path("", .badTarget), path("a", .badTarget), path("*", .badTarget), path("https://localhost/b", .badTarget),
        path("/a b", .badPseudoHeader), path("/a HTTP/1.1\r\nX: y", .badPseudoHeader), path("/a\0", .badPseudoHeader),
        path("/a\tb", .badPseudoHeader), path("/a/../b", .ambiguousPath), path("/a%2fb", .ambiguousPath),
        path("//a", .ambiguousPath), path("/a;b", .ambiguousPath), path("/a#b", .ambiguousPath),
        path("/\u{E9}", .ambiguousPath), path("/a?b#c", .badTarget),
        path("/" + String(repeating: "a", count: 9_000), .targetTooLong),
    ]

    private static let ofLengths: [HTTP2Violation] = [
        HTTP2Violation(
            name: "length without a body", fields: usual("POST") + [("content-length", "5")],
            reason: .badContentLength),
        HTTP2Violation(
            name: "signed length", fields: usual("POST") + [("content-length", "+5")], reason: .badContentLength,
            endsStream: false),
        HTTP2Violation(
            name: "two lengths", fields: usual("POST") + [("content-length", "5"), ("content-length", "5")],
            reason: .badContentLength, endsStream: false),
        HTTP2Violation(
            name: "empty length", fields: usual("POST") + [("content-length", "")], reason: .badContentLength,
            endsStream: false),
        HTTP2Violation(
            name: "list of lengths", fields: usual("POST") + [("content-length", "5, 5")], reason: .badContentLength,
            endsStream: false),
    ]
}
