import NIOCore

/// Names of request fields that only the edge states, in addition to those of `FieldKind`: the policy chose them.
package struct OwnFieldNames: Sendable {
    package static let none = OwnFieldNames([])

    /// The names, folded.
    private let names: [[UInt8]]

    /// - Parameter names: names of fields, in any spelling.
    package init(_ names: some Sequence<String>) { self.names = names.map { $0.utf8.map(ByteClass.folded) } }

    /// Whether a field has one of the names, in any spelling that an upstream could read as it (security guide R-86).
    func contain(_ field: HeaderBlock.Field, of block: HeaderBlock) -> Bool {
        guard !names.isEmpty else { return false }
        let bytes = block.bytes.readableBytesUInt8Span
        return names.contains { name in
            guard name.count == field.name.count else { return false }
            for offset in 0..<name.count {
                guard ByteClass.folded(bytes[field.name.lowerBound + offset]) == name[offset] else { return false }
            }
            return true
        }
    }
}
