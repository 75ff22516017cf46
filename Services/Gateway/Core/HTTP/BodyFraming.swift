/// How the end of a body is told (RFC 9112 section 6).
enum BodyFraming: Sendable, Equatable {
    case none
    case length(Int)
    case chunked
    /// Responses alone: the body ends with the connection.
    case untilClose

    /// The framing that `Content-Length` and `Transfer-Encoding` state, or nil when there is neither.
    ///
    /// Both together, two of one kind, or any spelling but the plain one are refused: two readers could disagree.
    static func stated(in block: HeaderBlock) throws(HTTPViolation) -> BodyFraming? {
        let lengths = block.values("content-length")
        let encodings = block.values("transfer-encoding")
        guard lengths.isEmpty || encodings.isEmpty else { throw .ambiguousFraming }
        if let encoding = encodings.first {
            guard encodings.count == 1, encoding.map(ByteClass.lowercased) == Array("chunked".utf8) else {
                throw .badTransferEncoding
            }
            return .chunked
        }
        guard let length = lengths.first else { return nil }
        // 18 digits always fit into Int.
        guard lengths.count == 1, (1...18).contains(length.count), length.allSatisfy(ByteClass.isDigit) else {
            throw .badContentLength
        }
        return .length(length.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
    }
}
