import FoundationEssentials

/// Text for header fields: unchanged, or in encoded words if it is not printable ASCII (RFC 2047 §2, §4.2).
enum EncodedWords {
    /// The length of a line with an encoded word, the field's name included.
    static let lineLengthMax = 76
    private static let (head, tail) = ("=?UTF-8?Q?", "?=")

    /// - Parameter column: The column of its line at which the text begins; each further line begins with a space.
    static func text(_ text: String, after column: Int) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
        guard !isPlain else { return text }
        var (words, start) = ([""], column)
        // An encoded word contains whole characters.
        for scalar in text.unicodeScalars {
            let encoded = Self.encoded(scalar)
            let length = start + head.count + words[words.count - 1].count + encoded.count + tail.count
            if length > lineLengthMax, words[words.count - 1] != "" {
                words.append("")
                start = 1
            }
            words[words.count - 1] += encoded
        }
        return words.map { head + $0 + tail }.joined(separator: "\r\n ")
    }

    /// Decodes encoded words in UTF-8 or ASCII; text without encoded words is returned unchanged.
    ///
    /// - Returns: `nil` if a word has another charset or is malformed.
    static func decoded(_ text: String) -> String? {
        guard text.hasPrefix("=?") else { return text }
        var bytes: [UInt8] = []
        for word in text.split(separator: " ") {
            let parts = word.split(separator: "?", omittingEmptySubsequences: false)
            guard parts.count == 5, parts[0] == "=", parts[4] == "=",
                ["utf-8", "us-ascii"].contains(parts[1].lowercased()),
                let part = parts[2].lowercased() == "b"
                    ? Data(base64Encoded: String(parts[3])).map(Array.init) : quoted(parts[3])
            else { return nil }
            bytes += part
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func quoted(_ text: Substring) -> [UInt8]? {
        var (bytes, rest) = ([UInt8](), text.utf8[...])
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "_"): bytes.append(0x20)
            case UInt8(ascii: "="):
                let digits = String(rest.prefix(2)) ?? ""
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func encoded(_ scalar: Unicode.Scalar) -> String {
        if scalar == " " { return "_" }
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        return isPlain ? String(scalar) : String(scalar).utf8.map(QuotedPrintable.escape).joined()
    }
}
