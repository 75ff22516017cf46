internal import CryptoPrimitives

/// The W3C trace context that goes to upstreams: the client's trace id if it sent a valid one, a span of our own.
enum TraceContext {
    /// The value of `traceparent` for the next hop; phones do not decide what is sampled.
    static func next(after head: RequestHead) -> String {
        "00-\(traceID(head.text("traceparent")) ?? Hex.encode(SecureRandom.bytes(16)))-\(Hex.encode(SecureRandom.bytes(8)))-00"
    }

    /// The trace id of a valid value: `00-<32 hex>-<16 hex>-<2 hex>` in lower case, neither id all zeros.
    static func traceID(_ value: String?) -> String? {
        guard let parts = value?.split(separator: "-", omittingEmptySubsequences: false), parts.count == 4,
            parts[0] == "00", isID(parts[1], length: 32), isID(parts[2], length: 16), isLowerHex(parts[3], length: 2)
        else { return nil }
        return String(parts[1])
    }

    private static func isID(_ text: Substring, length: Int) -> Bool {
        isLowerHex(text, length: length) && text.contains { $0 != "0" }
    }

    private static func isLowerHex(_ text: Substring, length: Int) -> Bool {
        text.utf8.count == length
            && text.utf8.allSatisfy { ByteClass.hexValue($0) != nil && ByteClass.lowercased($0) == $0 }
    }
}
