import NIOCore

/// Commands as bytes: an array of bulk strings (RESP2), written straight into the outgoing buffer.
///
/// `redisFormatCommandArgv` would allocate and copy every command twice more.
enum CommandEncoder {
    /// Appends one command.
    static func write(_ command: [RedisArgument], to buffer: inout ByteBuffer) {
        writeHeader("*", command.count, to: &buffer)
        for argument in command { write(argument, to: &buffer) }
    }

    private static func write(_ argument: RedisArgument, to buffer: inout ByteBuffer) {
        switch argument {
        case .text(let text): write(text, to: &buffer)
        case .integer(let number): write(String(number), to: &buffer)
        case .bytes(let bytes):
            writeHeader("$", bytes.count, to: &buffer)
            buffer.writeBytes(bytes)
            buffer.writeStaticString("\r\n")
        }
    }

    private static func write(_ text: String, to buffer: inout ByteBuffer) {
        writeHeader("$", text.utf8.count, to: &buffer)
        buffer.writeString(text)
        buffer.writeStaticString("\r\n")
    }

    private static func writeHeader(_ kind: StaticString, _ count: Int, to buffer: inout ByteBuffer) {
        buffer.writeStaticString(kind)
        buffer.writeString(String(count))
        buffer.writeStaticString("\r\n")
    }
}
