import NIOCore

/// The fields that keep a response to one user's cookie from other users.
///
/// A shared cache does not store the response to a request with `Authorization`, unless the response allows it (RFC 9111 section
/// 3.5). It knows no such rule for cookies, so the edge states the same in the response.
enum SharedCaching {
    /// The directives by which a response allows shared caches to store it in spite of `Authorization`.
    private static let allowing: [StaticString] = ["public", "must-revalidate", "s-maxage"]

    /// Appends the fields, if a cookie makes a difference.
    ///
    /// - Parameter block: the fields of the upstream's response.
    static func write(_ use: CookieUse, _ block: HeaderBlock, into buffer: inout ByteBuffer) {
        guard use != .none else { return }
        buffer.writeStaticString("Vary: Cookie\r\n")
        guard use == .signedIn, !isAllowed(by: block) else { return }
        buffer.writeStaticString("Cache-Control: private\r\n")
    }

    private static func isAllowed(by block: HeaderBlock) -> Bool {
        block.fields.contains { field in
            block.equals(field.name, "cache-control")
                && directives(of: field, in: block).contains { isAllowing($0, block) }
        }
    }

    private static func isAllowing(_ directive: Range<Int>, _ block: HeaderBlock) -> Bool {
        allowing.contains { block.equals(directive, $0) }
    }

    /// Returns the names of the directives in a field, such as `max-age`, without their values.
    private static func directives(of field: HeaderBlock.Field, in block: HeaderBlock) -> [Range<Int>] {
        let value = block.view(field.value)
        return value.split(separator: UInt8(ascii: ",")).map { item in
            let name = item.prefix { $0 != UInt8(ascii: "=") }.drop(while: ByteClass.isBlank)
            let end = name.lastIndex { !ByteClass.isBlank($0) }.map { $0 + 1 } ?? name.startIndex
            return name.startIndex..<end
        }
    }
}
