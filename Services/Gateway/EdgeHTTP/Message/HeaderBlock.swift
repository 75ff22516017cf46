package import NIOCore

/// A message's head: one slice of the bytes read, and the positions of its fields in it.
package struct HeaderBlock: Sendable {
    /// The position of a field in the block's bytes.
    package struct Field: Sendable {
        let nameStart: UInt32
        let nameEnd: UInt32
        let valueStart: UInt32
        let valueEnd: UInt32
        let kind: FieldKind
        /// Whether it is written as `Name: value` with one space and no trailing space, so that the line can be passed on as it is.
        let isPlain: Bool

        var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    }

    /// Bounds of a head.
    package struct Limits: Sendable {
        package var bytesMax: Int
        package var fieldsMax: Int

        /// Creates bounds; the defaults are the usual ones.
        package init(bytesMax: Int = 32 * 1024, fieldsMax: Int = 100) {
            self.bytesMax = bytesMax
            self.fieldsMax = fieldsMax
        }
    }

    /// The start line, the field lines and the empty line, readable from index 0. Further bytes may follow.
    package let bytes: ByteBuffer
    package let fields: [Field]

    /// Returns the block with two of its parts joined after it, and the range of the joined text. Its fields keep their positions.
    func appending(_ first: Range<Int>, _ second: Range<Int>) -> (HeaderBlock, Range<Int>) {
        var longer = bytes
        let start = longer.writerIndex
        longer.writeBytes(view(first))
        longer.writeBytes(view(second))
        return (HeaderBlock(bytes: longer, fields: fields), start..<longer.writerIndex)
    }

    /// Returns the only field of a kind, or `nil` if there is none.
    ///
    /// - Throws: `violation` if there is more than one.
    func only(_ kind: FieldKind, else violation: HTTPViolation) throws(HTTPViolation) -> Field? {
        var found: Field?
        for field in fields where field.kind == kind {
            guard found == nil else { throw violation }
            found = field
        }
        return found
    }

    /// Whether there is a field of a kind.
    package func has(_ kind: FieldKind) -> Bool { fields.contains { $0.kind == kind } }

    /// Returns a part of the head as a collection of bytes.
    package func view(_ range: Range<Int>) -> ByteBufferView { bytes.readableBytesView[range] }

    /// Returns a part of the head as text; bytes that are not UTF-8 become replacement characters.
    package func text(_ range: Range<Int>) -> String { String(decoding: view(range), as: UTF8.self) }

    /// Whether the bytes of `range` are `text` (in lower case), whatever their case.
    func equals(_ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        let span = bytes.readableBytesUInt8Span
        let start = unsafe text.utf8Start
        for offset in 0..<range.count {
            guard unsafe ByteClass.lowercased(span[range.lowerBound + offset]) == start[offset] else { return false }
        }
        return true
    }

    /// Returns all values of the fields called `name` (in lower case), in order.
    package func values(_ name: StaticString) -> [Range<Int>] {
        fields.filter { equals($0.name, name) }.map(\.value)
    }

    /// Calls `body` with each member of a comma-separated list, without the blanks around it. Empty members are skipped.
    func forEachMember(of list: Range<Int>, _ body: (Range<Int>) -> Void) {
        let span = bytes.readableBytesUInt8Span
        var start = list.lowerBound
        while start < list.upperBound {
            var end = start
            while end < list.upperBound, span[end] != UInt8(ascii: ",") { end += 1 }
            var first = start
            var last = end
            while first < last, ByteClass.isBlank(span[first]) { first += 1 }
            while first < last, ByteClass.isBlank(span[last - 1]) { last -= 1 }
            if first < last { body(first..<last) }
            start = end + 1
        }
    }
}
