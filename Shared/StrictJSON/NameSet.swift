/// The names seen so far in one object, compared as the bytes they stand for: `"\u0061"` is `"a"`.
struct NameSet {
    /// Up to this many names are compared one by one, which allocates nothing per name.
    private static let linearMax = 24

    private var tokens: [StringToken] = []
    /// Every name, once there are many: an object of thousands of names costs no quadratic time.
    private var contents: Set<[UInt8]> = []

    /// Adds the name; false when it was there already.
    mutating func insert(_ name: StringToken, in reader: JSONReader) -> Bool {
        if tokens.count < Self.linearMax {
            guard !tokens.contains(where: { reader.isSame($0, name) }) else { return false }
            tokens.append(name)
            return true
        }
        if contents.isEmpty { contents = Set(tokens.map(reader.bytes)) }
        return contents.insert(reader.bytes(of: name)).inserted
    }
}

extension JSONReader {
    /// Whether two strings stand for the same bytes.
    fileprivate func isSame(_ left: StringToken, _ right: StringToken) -> Bool {
        if left.hasEscapes || right.hasEscapes { return bytes(of: left) == bytes(of: right) }
        guard left.range.count == right.range.count else { return false }
        let distance = right.range.lowerBound - left.range.lowerBound
        for position in left.range where text[position] != text[position + distance] { return false }
        return true
    }
}
