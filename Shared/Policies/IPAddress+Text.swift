extension IPAddress: CustomStringConvertible {
    /// Reads an address of RFC 4291 §2.2, or four decimal bytes without leading zeros, without a zone; returns `nil` if the
    /// text has another form.
    package init?(_ text: some StringProtocol) {
        // Reads bytes, since every request has an IP address and splitting a string looks for the bounds of its characters.
        let bytes = Array(text.utf8)
        if bytes.contains(UInt8(ascii: ":")) {
            guard let bits = Self.ipv6(bytes[...]) else { return nil }
            self.init(ipv6: bits)
        } else {
            guard let bits = Self.ipv4(bytes[...]) else { return nil }
            self.init(ipv4: bits)
        }
    }

    /// The canonical text (RFC 5952 §4).
    package var description: String {
        guard !isIPv6 else { return ipv6Text }
        let bits = UInt32(truncatingIfNeeded: bits)
        return "\(bits >> 24).\(bits >> 16 & 0xFF).\(bits >> 8 & 0xFF).\(bits & 0xFF)"
    }

    private static func ipv4(_ text: ArraySlice<UInt8>) -> UInt32? {
        var (bits, dots, start): (UInt32, Int, Int) = (0, 0, text.startIndex)
        for index in text.indices where text[index] == UInt8(ascii: ".") {
            guard dots < 3, let byte = byte(text[start..<index]) else { return nil }
            (bits, dots, start) = (bits << 8 | byte, dots + 1, index + 1)
        }
        guard dots == 3, let last = byte(text[start...]) else { return nil }
        return bits << 8 | last
    }

    /// Reads a decimal byte without leading zeros.
    private static func byte(_ digits: ArraySlice<UInt8>) -> UInt32? {
        guard let byte = number(digits, digitsMax: 3, radix: 10), byte <= 255 else { return nil }
        return digits.count == 1 || digits.first != UInt8(ascii: "0") ? byte : nil
    }

    private static func ipv6(_ text: ArraySlice<UInt8>) -> UInt128? {
        guard text.count <= 45 else { return nil }
        guard let gap = firstDoubleColon(text) else {
            return groups(text).flatMap { $0.count == 8 ? bits($0) : nil }
        }
        guard let head = groups(text[..<gap], mayHoldIPv4: false), let tail = groups(text[(gap + 2)...])
        else { return nil }
        let missing = 8 - head.count - tail.count
        guard missing >= 1 else { return nil }
        return bits(head + Array(repeating: 0, count: missing) + tail)
    }

    /// Reads groups of 16 bits between colons; the last may be an IPv4 address, which makes two.
    private static func groups(_ text: ArraySlice<UInt8>, mayHoldIPv4: Bool = true) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayHoldIPv4, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard let address = ipv4(part) else { return nil }
                groups += [UInt16(truncatingIfNeeded: address >> 16), UInt16(truncatingIfNeeded: address)]
            } else {
                guard let group = number(part, digitsMax: 4, radix: 16) else { return nil }
                groups.append(UInt16(truncatingIfNeeded: group))
            }
        }
        return groups
    }

    /// Reads a number of one to `digitsMax` digits, without a sign.
    private static func number(_ digits: ArraySlice<UInt8>, digitsMax: Int, radix: UInt32) -> UInt32? {
        guard (1...digitsMax).contains(digits.count) else { return nil }
        var number: UInt32 = 0
        for digit in digits {
            guard let value = value(digit), value < radix else { return nil }
            number = number * radix + value
        }
        return number
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) - 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit) - 0x61 + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit) - 0x41 + 10
        default: nil
        }
    }

    private static func firstDoubleColon(_ text: ArraySlice<UInt8>) -> Int? {
        let colon = UInt8(ascii: ":")
        return text.indices.dropLast().first { text[$0] == colon && text[$0 + 1] == colon }
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
