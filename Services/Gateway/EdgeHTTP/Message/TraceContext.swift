import NIOCore
import Spans

/// The W3C trace context that upstreams get: the client's trace id if it sent a valid one, and a span of the edge's own.
///
/// Phones do not decide which requests are sampled, so the edge sets the flags (integration guide 7.3).
enum TraceContext {
    /// Appends the field `traceparent` for the next hop.
    ///
    /// - Parameter trace: the range of the head's trace id, if it is kept; `nil` for a new one.
    static func write(
        _ trace: Range<Int>?, of block: HeaderBlock, ids: inout IdentifierSource, into buffer: inout ByteBuffer
    ) {
        buffer.writeStaticString("traceparent: 00-")
        if let trace {
            buffer.writeBytes(block.view(trace))
        } else {
            buffer.writeHex(ids.next())
            buffer.writeHex(ids.next())
        }
        buffer.writeStaticString("-")
        buffer.writeHex(ids.next())
        buffer.writeStaticString("-00\r\n")
    }

    /// Returns the range of the trace id in the only, valid `traceparent` of a head, or `nil` if there is none, or more than one.
    ///
    /// The format is `<version>-<32 hex>-<16 hex>-<2 hex>` in lower case, neither id all zeros, version not `ff`. A version above
    /// 00 may have more at its end.
    static func traceID(in block: HeaderBlock) -> Range<Int>? {
        var found: Range<Int>?
        for field in block.fields where field.kind == .traceparent {
            guard found == nil else { return nil }
            found = field.value
        }
        guard let value = found, isValid(block.bytes.readableBytesUInt8Span, value) else { return nil }
        return value.lowerBound + 3..<value.lowerBound + 35
    }

    /// Returns the place of the client's span in its trace, which the edge has chosen to export; `nil` without a valid one.
    static func identity(in block: HeaderBlock) -> SpanIdentity? {
        guard let trace = traceID(in: block) else { return nil }
        let parent = trace.upperBound + 1..<trace.upperBound + 17
        return SpanIdentity(traceparent: "00-\(block.text(trace))-\(block.text(parent))-01")
    }

    private static func isValid(_ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
        let start = value.lowerBound
        guard value.count >= 55, [2, 35, 52].allSatisfy({ isDash(bytes, start + $0) }),
            isLowerHex(bytes, start..<start + 2), isLowerHex(bytes, start + 53..<start + 55),
            isID(bytes, start + 3..<start + 35), isID(bytes, start + 36..<start + 52)
        else { return false }
        let version = (bytes[start], bytes[start + 1])
        if version == (UInt8(ascii: "f"), UInt8(ascii: "f")) { return false }
        let isFirst = version == (UInt8(ascii: "0"), UInt8(ascii: "0"))
        return value.count == 55 || (!isFirst && isDash(bytes, start + 55))
    }

    private static func isDash(_ bytes: Span<UInt8>, _ position: Int) -> Bool { bytes[position] == UInt8(ascii: "-") }

    private static func isID(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var isZero = true
        for position in range where bytes[position] != UInt8(ascii: "0") { isZero = false }
        return !isZero && isLowerHex(bytes, range)
    }

    private static func isLowerHex(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for position in range {
            guard ByteClass.hexValue(bytes[position]) != nil, ByteClass.lowercased(bytes[position]) == bytes[position]
            else { return false }
        }
        return true
    }
}
