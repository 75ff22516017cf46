extension IPAddress: CustomStringConvertible {
    /// Nil unless `text` is an address of RFC 4291 §2.2 or four decimal bytes without leading zeros; no zone.
    package init?(_ text: some StringProtocol) {
        if text.utf8.contains(UInt8(ascii: ":")) {
            guard let bits = Self.ipv6(Substring(text)) else { return nil }
            self.init(ipv6: bits)
        } else {
            guard let bits = Self.ipv4(Substring(text)) else { return nil }
            self.init(ipv4: bits)
        }
    }

    /// The canonical text (RFC 5952 §4).
    package var description: String {
        isIPv6 ? ipv6Text : (0..<4).map { String((bits >> UInt128(24 - 8 * $0)) & 0xFF) }.joined(separator: ".")
    }

    private static func ipv4(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            let isDecimal = part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard isDecimal, part.utf8.count == 1 || !part.hasPrefix("0"), let byte = UInt8(part) else { return nil }
            bits = bits << 8 | UInt32(byte)
        }
        return bits
    }

    private static func ipv6(_ text: Substring) -> UInt128? {
        guard text.utf8.count <= 45 else { return nil }
        guard let gap = text.firstDoubleColon else {
            return groups(text).flatMap { $0.count == 8 ? bits($0) : nil }
        }
        guard let head = groups(text[..<gap.lowerBound], mayHoldIPv4: false), let tail = groups(text[gap.upperBound...])
        else { return nil }
        let missing = 8 - head.count - tail.count
        guard missing >= 1 else { return nil }
        return bits(head + Array(repeating: 0, count: missing) + tail)
    }

    /// Groups of 16 bits between colons; the last may be an IPv4 address, which makes two.
    private static func groups(_ text: Substring, mayHoldIPv4: Bool = true) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayHoldIPv4, index == parts.count - 1, part.utf8.contains(UInt8(ascii: ".")) {
                guard let address = ipv4(part) else { return nil }
                groups += [UInt16(truncatingIfNeeded: address >> 16), UInt16(truncatingIfNeeded: address)]
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy(\.isHexDigit),
                    let group = UInt16(part, radix: 16)
                else { return nil }
                groups.append(group)
            }
        }
        return groups
    }

    private static func bits(_ groups: [UInt16]) -> UInt128 { groups.reduce(0) { $0 << 16 | UInt128($1) } }

    private var ipv6Text: String {
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> UInt128(112 - 16 * $0)) }
        let texts = groups.map { String($0, radix: 16) }
        guard let gap = Self.longestZeroRun(groups) else { return texts.joined(separator: ":") }
        return texts[..<gap.lowerBound].joined(separator: ":") + "::" + texts[gap.upperBound...].joined(separator: ":")
    }

    /// The first of the longest runs of two or more zero groups.
    private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int>? {
        var longest: Range<Int>?
        var start = 0
        while start < groups.count {
            let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
            if end - start >= 2, end - start > (longest?.count ?? 0) { longest = start..<end }
            start = Swift.max(end, start + 1)
        }
        return longest
    }
}

extension Substring {
    fileprivate var firstDoubleColon: Range<Index>? {
        guard let start = indices.first(where: { self[$0...].hasPrefix("::") }) else { return nil }
        return start..<index(start, offsetBy: 2)
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
