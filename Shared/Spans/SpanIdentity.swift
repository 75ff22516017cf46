package import Instrumentation

/// The place of a span in its trace, as W3C Trace Context writes it.
package struct SpanIdentity: Sendable, Equatable {
    let traceHigh: UInt64
    let traceLow: UInt64
    /// The span's id; 0 if the trace has no span yet.
    let spanID: UInt64
    /// Whether the spans of the trace are exported. Only the gateway decides it.
    package let isSampled: Bool

    /// Creates the place before the first span of a sampled trace.
    ///
    /// - Parameter high: the first half of the trace's id, whose halves must not both be 0.
    package init(newTrace high: UInt64, _ low: UInt64) {
        self.init(high, low, spanID: 0, isSampled: true)
    }

    private init(_ high: UInt64, _ low: UInt64, spanID: UInt64, isSampled: Bool) {
        (traceHigh, traceLow, self.spanID, self.isSampled) = (high, low, spanID, isSampled)
    }

    /// Returns the place of a new span below this one.
    func child() -> SpanIdentity {
        SpanIdentity(traceHigh, traceLow, spanID: .random(in: 1 ... .max), isSampled: isSampled)
    }
}

// MARK: - Text

extension SpanIdentity {
    /// The name of the field that carries a place to the next process.
    static let field = "traceparent"

    /// Reads the value of the field `traceparent` in version 00, or returns `nil` if it is not valid.
    package init?(traceparent text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [2, 32, 16, 2], parts[0] == "00",
            let high = Self.number(parts[1].prefix(16)), let low = Self.number(parts[1].suffix(16)),
            let span = Self.number(parts[2]), let flags = Self.number(parts[3]), high | low != 0, span != 0
        else { return nil }
        self.init(high, low, spanID: span, isSampled: flags & 1 == 1)
    }

    /// The value of the field `traceparent`.
    package var traceparent: String { "00-\(traceID)-\(Self.hex(spanID))-\(isSampled ? "01" : "00")" }

    /// The trace's id: 32 lower-case hexadecimal digits.
    package var traceID: String { Self.hex(traceHigh) + Self.hex(traceLow) }

    /// Returns the 16 lower-case hexadecimal digits of a number.
    static func hex(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    private static func number(_ digits: Substring) -> UInt64? {
        let isHex = digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return isHex ? UInt64(digits, radix: 16) : nil
    }
}

// MARK: - Context

private enum SpanIdentityKey: InstrumentationContextKey {
    typealias Value = SpanIdentity
}

extension InstrumentationContext {
    /// The place of the span under way; `nil` if there is no trace.
    package var spanIdentity: SpanIdentity? {
        get { self[SpanIdentityKey.self] }
        set { self[SpanIdentityKey.self] = newValue }
    }
}
