import NIOCore

/// Encodes commands as arrays of bulk strings (RESP2), written directly to the outgoing buffer.
///
/// `redisFormatCommandArgv` would allocate and copy every command twice more.
enum CommandEncoder {
    /// Appends one command.
    static func write(_ command: [RedisArgument], to buffer: inout ByteBuffer) {
        // Built whole and appended once, because each write to a ByteBuffer checks its capacity and uniqueness.
        var text: [UInt8] = []
        text.reserveCapacity(512)
        append("*", command.count, to: &text)
        for argument in command { append(argument, to: &text) }
        buffer.writeBytes(text)
    }

    private static func append(_ argument: RedisArgument, to text: inout [UInt8]) {
        switch argument {
        case .text(let string): append(string, to: &text)
        case .integer(let number): append(String(number), to: &text)
        case .bytes(let bytes):
            append("$", bytes.count, to: &text)
            text.append(contentsOf: bytes)
            endLine(of: &text)
        }
    }

    private static func append(_ string: String, to text: inout [UInt8]) {
        append("$", string.utf8.count, to: &text)
        text.append(contentsOf: string.utf8)
        endLine(of: &text)
    }

    private static func append(_ kind: Unicode.Scalar, _ count: Int, to text: inout [UInt8]) {
        text.append(UInt8(ascii: kind))
        text.append(contentsOf: String(count).utf8)
        endLine(of: &text)
    }

    private static func endLine(of text: inout [UInt8]) {
        text.append(UInt8(ascii: "\r"))
        text.append(UInt8(ascii: "\n"))
    }
}
