import NIOCore
import NIOHPACK

/// A request's fields of HTTP/2, checked by the rules of RFC 9113 section 8 and written as a head of HTTP/1.1.
///
/// That head goes through `RequestHeadParser`, so that paths, hosts, lengths and limits have the same rules in both versions. What
/// is checked here is what could change the meaning of that text, and what HTTP/1.1 does not have.
struct HTTP2RequestHead: Sendable {
    /// U+FFFD, which the decoder puts in the place of bytes that are not UTF-8.
    private static let replacement: Unicode.Scalar = "\u{FFFD}"

    private var (method, scheme, authority, path) = (String?.none, String?.none, String?.none, String?.none)
    private var lines: [(name: String, value: String)] = []
    private var hosts: [String] = []
    private var lengths: [String] = []
    /// The cookies, which a client may send in several fields (RFC 9113 section 8.2.3).
    private var cookies: [String] = []

    private init() {}

    /// Returns the head of HTTP/1.1 that means the same.
    ///
    /// - Parameter endsStream: whether the request has no body.
    static func text(of fields: HPACKHeaders, endsStream: Bool) throws(HTTPViolation) -> ByteBuffer {
        var head = HTTP2RequestHead()
        for (name, value, _) in fields { try head.add(name, value) }
        return try head.text(endsStream: endsStream)
    }

    /// Checks the fields after a body, which are not passed on.
    static func judgeTrailers(_ fields: HPACKHeaders) throws(HTTPViolation) {
        for (name, value, _) in fields {
            guard !name.utf8.starts(with: ":".utf8) else { throw .badPseudoHeader }
            try judge(name, value)
        }
    }

    /// Returns the facts of a refused head that its response needs: the method and the origin.
    static func refusedText(of fields: HPACKHeaders) -> ByteBuffer {
        let method = fields.first(name: ":method").flatMap(HTTPMethod.init)
        var buffer = ByteBuffer(string: "\(method?.rawValue ?? "") / HTTP/1.1\r\n")
        for origin in fields[canonicalForm: "origin"] {
            ReplySerializer.writeField("origin", origin, into: &buffer)
        }
        return buffer
    }

    private mutating func add(_ name: String, _ value: String) throws(HTTPViolation) {
        guard !name.utf8.starts(with: ":".utf8) else { return try addPseudo(name, value) }
        try Self.judge(name, value)
        switch name {
        case "host": hosts.append(value)
        case "cookie": cookies.append(value)
        case "te": break
        default:
            if name == "content-length" { lengths.append(value) }
            lines.append((name, value))
        }
    }

    /// Accepts a pseudo-header: a known one, once, before all other fields (RFC 9113 section 8.3).
    private mutating func addPseudo(_ name: String, _ value: String) throws(HTTPViolation) {
        guard lines.isEmpty, hosts.isEmpty, cookies.isEmpty, !value.isEmpty || name == ":path",
            value.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw .badPseudoHeader }
        switch name {
        case ":method" where method == nil: method = value
        case ":scheme" where scheme == nil: scheme = value
        case ":authority" where authority == nil: authority = value
        case ":path" where path == nil: path = value
        default: throw .badPseudoHeader
        }
    }

    /// Checks a field: a token in lower case, a value without controls and outer blanks, and nothing for one connection only (RFC
    /// 9113 sections 8.2.1 and 8.2.2).
    private static func judge(_ name: String, _ value: String) throws(HTTPViolation) {
        guard !name.isEmpty, name.utf8.allSatisfy({ ByteClass.isToken($0) && ByteClass.lowercased($0) == $0 }) else {
            throw .malformedHeader
        }
        let bytes = value.utf8
        guard ByteClass.isFieldValue(value), bytes.first.map(ByteClass.isBlank) != true,
            bytes.last.map(ByteClass.isBlank) != true,
            bytes.allSatisfy({ $0 < 0x80 }) || !value.unicodeScalars.contains(replacement)
        else { throw .malformedHeader }
        switch name {
        case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade", "http2-settings":
            throw .connectionField
        case "te" where value != "trailers": throw .connectionField
        default: break
        }
    }

    private func text(endsStream: Bool) throws(HTTPViolation) -> ByteBuffer {
        guard let method else { throw .badPseudoHeader }
        guard method != "CONNECT" else { throw .forbiddenMethod }
        guard let path, scheme == "https" || scheme == "http" else { throw .badPseudoHeader }
        // The parser would accept the absolute form, with a host of its own.
        guard path.utf8.starts(with: "/".utf8) else { throw .badTarget }
        guard !endsStream || lengths.allSatisfy({ $0 == "0" }) else { throw .badContentLength }
        var buffer = ByteBuffer(string: "\(method) \(path) HTTP/1.1\r\nhost: \(try host())\r\n")
        for (name, value) in lines { ReplySerializer.writeField(name, value, into: &buffer) }
        if !cookies.isEmpty { ReplySerializer.writeField("cookie", cookies.joined(separator: "; "), into: &buffer) }
        if lengths.isEmpty {
            if !endsStream {
                buffer.writeStaticString("transfer-encoding: chunked\r\n")
            } else if HTTPMethod(rawValue: method)?.bringsBody == true {
                // A client of HTTP/1.1 would state it, and servers may insist.
                buffer.writeStaticString("content-length: 0\r\n")
            }
        }
        buffer.writeStaticString("\r\n")
        return buffer
    }

    /// The one host that the request is for. `host` may repeat `:authority`, and nothing else (RFC 9113 section 8.3.1).
    private func host() throws(HTTPViolation) -> String {
        guard hosts.count <= 1, let host = authority ?? hosts.first,
            hosts.allSatisfy({ Self.withoutUsualPort($0) == Self.withoutUsualPort(host) })
        else { throw .badHost }
        return host
    }

    private static func withoutUsualPort(_ host: String) -> String {
        let host = host.lowercased()
        for port in [":443", ":"] where host.hasSuffix(port) { return String(host.dropLast(port.count)) }
        return host
    }
}
