package import NIOCore

/// Writes responses of the edge's own.
package enum ReplySerializer {
    /// Room for the head of most responses.
    static let usualHeadBytes = 512

    /// Appends a whole response.
    ///
    /// - Parameters:
    ///   - isHEAD: whether the head states the length that the body would have, and no body follows.
    ///   - lines: lines of the head, written as they are.
    static func write(
        _ reply: Reply, requestID: RequestID, isHEAD: Bool, keepsAlive: Bool, isHTTP11: Bool = true,
        adding lines: [UInt8] = [], into buffer: inout ByteBuffer
    ) {
        StatusLine.write(reply.status, into: &buffer)
        for (name, value) in reply.headers { writeField(name, value, into: &buffer) }
        buffer.writeBytes(lines)
        writeRequestID(requestID, into: &buffer)
        writeField("Date", HTTPDate.now(), into: &buffer)
        let hasBody = reply.status != 204 && reply.status != 304
        if hasBody { writeField("Content-Length", "\(reply.body.count)", into: &buffer) }
        writeConnection(keepsAlive: keepsAlive, isHTTP11: isHTTP11, into: &buffer)
        buffer.writeStaticString("\r\n")
        if !isHEAD, hasBody { buffer.writeBytes(reply.body) }
    }

    /// Appends whether the connection is kept, if the client cannot know it from the version (RFC 9112 section 9.3).
    static func writeConnection(keepsAlive: Bool, isHTTP11: Bool, into buffer: inout ByteBuffer) {
        if !keepsAlive {
            buffer.writeStaticString("Connection: close\r\n")
        } else if !isHTTP11 {
            buffer.writeStaticString("Connection: keep-alive\r\n")
        }
    }

    /// Appends a field whose name and value come from the edge. A value that would break the message is left out.
    package static func writeField(_ name: String, _ value: String, into buffer: inout ByteBuffer) {
        guard ByteClass.isFieldValue(value) else { return }
        buffer.writeString(name)
        buffer.writeStaticString(": ")
        buffer.writeString(value)
        buffer.writeStaticString("\r\n")
    }

    static func writeRequestID(_ id: RequestID, into buffer: inout ByteBuffer) {
        buffer.writeStaticString("X-Request-Id: ")
        id.write(into: &buffer)
        buffer.writeStaticString("\r\n")
    }
}
