internal import FoundationEssentials
internal import NIOCore

/// Writes message heads and replies.
enum ReplySerializer {
    /// Appends a whole reply.
    static func write(
        _ reply: Reply, requestID: String, isHEAD: Bool, keepsAlive: Bool, into buffer: inout ByteBuffer
    ) {
        writeStatusLine(reply.status, into: &buffer)
        for (name, value) in reply.headers { writeField(name, value, into: &buffer) }
        writeField("X-Request-Id", requestID, into: &buffer)
        writeField("Date", HTTPDate.now(), into: &buffer)
        if reply.status != 204, reply.status != 304 {
            writeField("Content-Length", "\(reply.body.count)", into: &buffer)
        }
        if !keepsAlive { writeField("Connection", "close", into: &buffer) }
        buffer.writeStaticString("\r\n")
        if !isHEAD { buffer.writeBytes(reply.body) }
    }

    /// `HTTP/1.1 200 OK`; the reason is a courtesy.
    static func writeStatusLine(_ status: Int, into buffer: inout ByteBuffer) {
        buffer.writeString("HTTP/1.1 \(status) \(reason(status))\r\n")
    }

    /// A field whose value comes from us.
    static func writeField(_ name: String, _ value: String, into buffer: inout ByteBuffer) {
        buffer.writeString(name)
        buffer.writeStaticString(": ")
        buffer.writeString(value)
        buffer.writeStaticString("\r\n")
    }

    /// A field as it stands in a parsed head.
    static func writeField(_ field: HeaderBlock.Field, of block: HeaderBlock, into buffer: inout ByteBuffer) {
        buffer.writeBytes(block.bytes[field.name])
        buffer.writeStaticString(": ")
        buffer.writeBytes(block.bytes[field.value])
        buffer.writeStaticString("\r\n")
    }

    private static func reason(_ status: Int) -> String { reasons[status] ?? "Status" }

    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
        301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect",
        308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone", 412: "Precondition Failed",
        413: "Content Too Large", 415: "Unsupported Media Type", 417: "Expectation Failed",
        422: "Unprocessable Content",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
    ]
}
