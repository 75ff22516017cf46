/// Reads paths in the ways in which web frameworks may read them in addition to the literal one.
package enum FoldedPath {
    /// The ASCII text that a decoded path may be read as; a character without an ASCII reading becomes one byte that no pattern
    /// contains.
    ///
    /// Letters of other scripts are read by their upper and lower case (`ſ` as `s`, the Kelvin sign as `k`), full-width
    /// characters as the ASCII characters that they look like, and every kind of space as a space. Marks and invisible
    /// characters are left out.
    package static func plain(_ decoded: [UInt8]) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(decoded.count)
        for scalar in String(decoding: decoded, as: UTF8.self).unicodeScalars { append(scalar, to: &plain) }
        return plain
    }

    private static let unreadable: UInt8 = 0xFF

    private static func append(_ scalar: Unicode.Scalar, to plain: inout [UInt8]) {
        let properties = scalar.properties
        if scalar.isASCII {
            plain.append(UInt8(truncatingIfNeeded: scalar.value))
        } else if (0xFF01...0xFF5E).contains(scalar.value) {
            plain.append(UInt8(truncatingIfNeeded: scalar.value - 0xFEE0))
        } else if properties.isWhitespace {
            plain.append(UInt8(ascii: " "))
        } else if !properties.isDefaultIgnorableCodePoint, properties.generalCategory != .nonspacingMark {
            for folded in properties.uppercaseMapping.lowercased().unicodeScalars
            where folded.properties.generalCategory != .nonspacingMark {
                plain.append(folded.isASCII ? UInt8(truncatingIfNeeded: folded.value) : unreadable)
            }
        }
    }

    /// The next segment of a plain path at or after `position`, without spaces around it and dots after it.
    ///
    /// Segments that are empty then are skipped, as servers merge slashes.
    static func nextSegment(_ path: Span<UInt8>, from position: inout Int) -> Range<Int>? {
        while position < path.count {
            var start = position
            while position < path.count, path[position] != UInt8(ascii: "/") { position += 1 }
            var end = position
            position += 1
            trim(path, &start, &end)
            if start < end { return start..<end }
        }
        return nil
    }

    /// The segment up to its first dot, since an extension may follow a name; `nil` if it has no dot.
    static func stem(_ path: Span<UInt8>, _ segment: Range<Int>) -> Range<Int>? {
        var (start, end) = (segment.lowerBound, segment.lowerBound + 1)
        while end < segment.upperBound, path[end] != UInt8(ascii: ".") { end += 1 }
        guard end < segment.upperBound else { return nil }
        trim(path, &start, &end)
        return start < end ? start..<end : nil
    }

    private static func trim(_ path: Span<UInt8>, _ start: inout Int, _ end: inout Int) {
        while start < end, path[start] == UInt8(ascii: " ") { start += 1 }
        while end > start, path[end - 1] == UInt8(ascii: " ") || path[end - 1] == UInt8(ascii: ".") { end -= 1 }
    }

    package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }
}
