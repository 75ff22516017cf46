import NIOCore
import Policies

/// What a proxy says of its client before the first request (PROXY protocol, version 2).
enum ProxyHeader: Equatable {
    case incomplete
    /// Not such a header, or one of a kind that is not spoken here; version 1 is none.
    case malformed
    /// The proxy itself, for a health check.
    case local
    case client(IPAddress)

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    private static let fixedBytes = 16
    /// Addresses and whatever a proxy adds; more is not read.
    private static let variableBytesMax = 1_024

    /// Reads a header and takes it out of `buffer` once it is whole.
    static func read(from buffer: inout ByteBuffer) -> ProxyHeader {
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

    /// The source address of TCP over IPv4 or IPv6.
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
