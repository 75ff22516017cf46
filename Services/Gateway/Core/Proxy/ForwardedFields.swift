internal import NIOCore

/// Which fields of a message are passed on.
enum ForwardedFields {
    /// Meant for one connection (RFC 9110 section 7.6.1); those that `Connection` names go with them.
    private static let hopByHop: Set<[UInt8]> = Set(
        [
            "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te",
            "trailer",
            "transfer-encoding", "upgrade", "content-length", "expect", "http2-settings",
        ].map { Array($0.utf8) })

    /// Who somebody is and where from, which only the gateway states: names as upstreams could read them, in which case,
    /// `_` and `.` count for nothing (security guide R-86).
    private static let reserved: Set<[UInt8]> = Set(
        [
            "host", "forwarded", "x-real-ip", "x-client-ip", "true-client-ip", "x-request-id", "traceparent",
            "tracestate",
            "x-user-id", "x-user-role", "x-session-id", "x-original-url", "x-rewrite-url", "x-http-method-override",
        ].map { Array($0.utf8) })
    private static let reservedPrefixes = ["x-forwarded-", "x-latchkey-", "latchkey-", "x-user-", "x-session-"].map {
        Array($0.utf8)
    }

    /// Appends the client's fields that may reach the upstream.
    static func writeRequestFields(of head: RequestHead, keepsAuthorization: Bool, into buffer: inout ByteBuffer) {
        let nominated = head.block.listMembers("connection")
        for field in head.block.fields {
            let name = head.block.loweredName(field)
            if hopByHop.contains(name) || nominated.contains(name) || isReserved(name) { continue }
            if !keepsAuthorization, name.elementsEqual("authorization".utf8) { continue }
            ReplySerializer.writeField(field, of: head.block, into: &buffer)
        }
    }

    /// Appends the upstream's fields that may reach the client.
    static func writeResponseFields(of head: ResponseHead, into buffer: inout ByteBuffer) {
        let nominated = head.block.listMembers("connection")
        for field in head.block.fields {
            let name = head.block.loweredName(field)
            if hopByHop.contains(name) || nominated.contains(name) || name.elementsEqual("x-request-id".utf8) {
                continue
            }
            ReplySerializer.writeField(field, of: head.block, into: &buffer)
        }
    }

    /// Whether a client may not state the field, in any spelling.
    static func isReserved(_ loweredName: [UInt8]) -> Bool {
        let folded = loweredName.map { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") ? UInt8(ascii: "-") : $0 }
        return reserved.contains(folded) || reservedPrefixes.contains { folded.starts(with: $0) }
    }
}
