package import NIOCore

/// Writes replies of our own.
package enum ReplySerializer {
    /// Room for the head of most replies.
    static let usualHeadBytes = 512

    /// Appends a whole reply.
    ///
    /// - Parameters:
    ///   - isHEAD: the head says how long the body would be, and no body follows.
    ///   - lines: of the head, written as they are.
    static func write(
        _ reply: Reply, requestID: RequestID, isHEAD: Bool, keepsAlive: Bool, adding lines: [UInt8] = [],
        into buffer: inout ByteBuffer
    ) {
        StatusLine.write(reply.status, into: &buffer)
        for (name, value) in reply.headers { writeField(name, value, into: &buffer) }
        buffer.writeBytes(lines)
        writeRequestID(requestID, into: &buffer)
        writeField("Date", HTTPDate.now(), into: &buffer)
        let hasBody = reply.status != 204 && reply.status != 304
        if hasBody { writeField("Content-Length", "\(reply.body.count)", into: &buffer) }
        if !keepsAlive { buffer.writeStaticString("Connection: close\r\n") }
        buffer.writeStaticString("\r\n")
        if !isHEAD, hasBody { buffer.writeBytes(reply.body) }
    }

    /// Appends a field whose name and value come from us; a value that would break the message is left out.
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
