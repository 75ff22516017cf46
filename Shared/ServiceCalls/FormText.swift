/// Bodies of `application/x-www-form-urlencoded` (WHATWG URL §5.2).
package enum FormText {
    package static let mediaType = "application/x-www-form-urlencoded"

    /// Encodes fields in their order, repeated ones too.
    package static func encode(_ fields: [(String, String)]) -> String {
        fields.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&")
    }

    /// Encodes one text. The result also suits a segment of a URL's path, except that a space is `+`.
    package static func encode(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F:
                result.unicodeScalars.append(.init(byte))
            case 0x20: result += "+"
            default:
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// Decodes the fields of a body in their order, including those without a value.
    ///
    /// - Returns: `nil` for more than `countMax` fields, a broken escape, or text that is not UTF-8.
    package static func decode(_ text: String, countMax: Int) -> [(String, String)]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: "&", omittingEmptySubsequences: true)
        guard parts.count <= countMax else { return nil }
        var fields: [(String, String)] = []
        for part in parts {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = unescaped(pair[0].utf8), let value = unescaped((pair.count > 1 ? pair[1] : "").utf8) else {
                return nil
            }
            fields.append((name, value))
        }
        return fields
    }

    /// Decodes one name or value, or returns `nil` if an escape is broken or the text is not UTF-8.
    package static func unescaped(_ text: some Collection<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x2B: bytes.append(0x20)
            case 0x25:
                guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
