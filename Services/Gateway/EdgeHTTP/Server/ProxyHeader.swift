import NIOCore
import Policies

/// The client that a proxy announces before the first request (PROXY protocol, versions 1 and 2).
enum ProxyHeader: Equatable {
    case incomplete
    /// There is no such header, or one of a kind that is not supported.
    case malformed
    /// The connection is the proxy's own, for a health check, or of a client that it does not know.
    case local
    case client(IPAddress)

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    private static let fixedBytes = 16
    /// The greatest length of the addresses and the proxy's additions; more is not read.
    private static let variableBytesMax = 1_024

    /// Reads a header and removes it from `buffer` once it is complete.
    static func read(from buffer: inout ByteBuffer) -> ProxyHeader {
        let first = buffer.readableBytesView.first
        return first == UInt8(ascii: "P") ? ProxyHeaderLine.read(from: &buffer) : readBinary(from: &buffer)
    }

    /// Reads version 2.
    private static func readBinary(from buffer: inout ByteBuffer) -> ProxyHeader {
        let known = min(buffer.readableBytes, signature.count)
        guard buffer.readableBytesView.prefix(known).elementsEqual(signature.prefix(known)) else { return .malformed }
        let start = buffer.readerIndex
        guard let command: UInt8 = buffer.getInteger(at: start + 12),
            let family: UInt8 = buffer.getInteger(at: start + 13),
            let length: UInt16 = buffer.getInteger(at: start + 14)
        else { return .incomplete }
        guard command >> 4 == 2, command & 15 <= 1, Int(length) <= variableBytesMax else { return .malformed }
        guard buffer.readableBytes >= fixedBytes + Int(length) else { return .incomplete }
        let header = client(in: buffer, at: start + fixedBytes, length: Int(length), family: family)
        buffer.moveReaderIndex(forwardBy: fixedBytes + Int(length))
        return command & 15 == 0 ? .local : header
    }

    /// Returns the source address of TCP over IPv4 or IPv6.
    private static func client(in buffer: ByteBuffer, at start: Int, length: Int, family: UInt8) -> ProxyHeader {
        switch family {
        case 0x11 where length >= 12:
            guard let address: UInt32 = buffer.getInteger(at: start) else { return .malformed }
            return .client(IPAddress(ipv4: address))
        case 0x21 where length >= 36:
            guard let high: UInt64 = buffer.getInteger(at: start), let low: UInt64 = buffer.getInteger(at: start + 8)
            else { return .malformed }
            return .client(IPAddress(ipv6: UInt128(high) << 64 | UInt128(low)))
        default: return .malformed
        }
    }
}

/// Version 1: one line of text, `PROXY TCP4 SOURCE DESTINATION PORT PORT` and CR LF.
enum ProxyHeaderLine {
    /// The longest line, its end included.
    static let bytesMax = 107
    private static let beginning = Array("PROXY ".utf8)

    /// Reads a line and removes it from `buffer` once it is complete.
    static func read(from buffer: inout ByteBuffer) -> ProxyHeader {
        let bytes = buffer.readableBytesView.prefix(bytesMax)
        let known = min(bytes.count, beginning.count)
        guard bytes.prefix(known).elementsEqual(beginning.prefix(known)) else { return .malformed }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            return bytes.count < bytesMax ? .incomplete : .malformed
        }
        let line = bytes[..<end]
        guard line.last == UInt8(ascii: "\r"), line.allSatisfy({ $0 < 0x80 }) else { return .malformed }
        let header = header(String(decoding: line.dropLast(), as: UTF8.self))
        buffer.moveReaderIndex(forwardBy: line.count + 1)
        return header
    }

    private static func header(_ line: String) -> ProxyHeader {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        // The rest of the line is ignored (PROXY protocol, section 2.1).
        if words[1] == "UNKNOWN" { return .local }
        guard words.count == 6, words[1] == "TCP4" || words[1] == "TCP6" else { return .malformed }
        let isIPv6 = words[1] == "TCP6"
        guard let source = address(words[2], isIPv6), address(words[3], isIPv6) != nil, words[4...].allSatisfy(isPort)
        else { return .malformed }
        return .client(source)
    }

    private static func address(_ word: Substring, _ isIPv6: Bool) -> IPAddress? {
        word.contains(":") == isIPv6 ? IPAddress(String(word)) : nil
    }

    private static func isPort(_ word: Substring) -> Bool {
        word.utf8.allSatisfy(ByteClass.isDigit) && UInt16(word) != nil && (word == "0" || word.first != "0")
    }
}
