import HTTPTypes
import Hummingbird
import NIOCore

/// A response to a browser.
struct ConsoleReply: Sendable {
    private static let policy =
        "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

    let status: Int
    let type: String
    let body: [UInt8]
    private(set) var fields: [(String, String)] = []

    static func page(_ html: HTML, status: Int = 200) -> ConsoleReply {
        ConsoleReply(status: status, type: "text/html; charset=utf-8", body: Array(html.text.utf8))
    }

    /// Leads the browser to a page after a form, so that a reload repeats nothing.
    static func redirect(_ path: String) -> ConsoleReply {
        ConsoleReply(status: 303, type: "text/plain", body: [], fields: [("Location", PageFrame.root + path)])
    }

    static func file(_ name: String, _ type: String, _ body: [UInt8]) -> ConsoleReply {
        ConsoleReply(
            status: 200, type: type, body: body,
            fields: [("Content-Disposition", "attachment; filename=\"\(name)\"")])
    }

    /// The style sheet, whose address changes with its content.
    static let style = ConsoleReply(
        status: 200, type: "text/css; charset=utf-8", body: Array(PageStyle.css.utf8),
        fields: [("Cache-Control", "private, max-age=86400, immutable")])

    func setting(_ name: String, _ value: String) -> ConsoleReply {
        var reply = self
        reply.fields.append((name, value))
        return reply
    }

    var response: Response {
        // With `no-referrer` the forms would be sent with `Origin: null`, as those of another site's page are.
        let usual = [
            ("Cache-Control", "no-store"), ("Referrer-Policy", "same-origin"), ("X-Content-Type-Options", "nosniff"),
            ("Content-Security-Policy", Self.policy), ("Content-Type", type),
        ]
        var headers: HTTPFields = [:]
        for (name, value) in usual + fields {
            guard let name = HTTPField.Name(name) else { continue }
            headers[name] = value
        }
        return Response(status: .init(code: status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }
}
