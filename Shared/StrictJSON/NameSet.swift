/// The names seen so far in one object, compared as the bytes they stand for: `"\u0061"` is `"a"`.
struct NameSet {
    /// Up to this many names are compared one by one, which allocates nothing.
    private static let linearMax = 24

    /// The object's node; the members read so far follow it.
    private let object: Int
    private var count = 0
    /// The marks of all names: one that is not here was not there.
    private var marks: UInt64 = 0
    /// Every name, once there are many: an object of thousands of names costs no quadratic time.
    private var contents: Set<[UInt8]> = []

    init(of object: Int) { self.object = object }

    /// Adds the name; false when it was there already.
    mutating func insert(_ name: StringToken, in reader: borrowing JSONReader) -> Bool {
        if count < Self.linearMax {
            count += 1
            let mark = mark(of: name, in: reader.text)
            defer { marks |= mark }
            return marks & mark == 0 || !reader.hasMember(name, in: object)
        }
        if contents.isEmpty { contents = reader.names(in: object) }
        return contents.insert(name.bytes(in: reader.text)).inserted
    }

    /// A bit that equal names have in common: every bit for a name with escapes, which may equal any other.
    @inline(__always)
    private func mark(of name: StringToken, in text: [UInt8]) -> UInt64 {
        guard !name.hasEscapes, !name.range.isEmpty else { return .max }
        let (first, last) = (text[name.range.lowerBound], text[name.range.upperBound - 1])
        let mixed = UInt64(truncatingIfNeeded: name.range.count) &* 5 &+ UInt64(first) &* 3 &+ UInt64(last)
        return 1 &<< mixed
    }
}

extension JSONReader {
    /// Whether a member of that name was read, of the object that is being read.
    fileprivate func hasMember(_ name: StringToken, in object: Int) -> Bool {
        var index = object + 1
        while index < nodes.count {
            if let other = nodes.name(at: index), other.isSame(as: name, in: text) { return true }
            index = nodes.end(of: index + 1)
        }
        return false
    }

    fileprivate func names(in object: Int) -> Set<[UInt8]> {
        var names: Set<[UInt8]> = []
        var index = object + 1
        while index < nodes.count {
            if let name = nodes.name(at: index) { names.insert(name.bytes(in: text)) }
            index = nodes.end(of: index + 1)
        }
        return names
    }
}
