import FoundationEssentials

/// base64 with `+` and `/` (RFC 4648 §4), of which there is one spelling of each value.
enum StandardBase64 {
    /// Returns `nil` for any other text.
    static func decode(_ text: some StringProtocol, isPadded: Bool = true) -> [UInt8]? {
        let padding = isPadded ? "" : String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let padded = text + padding
        guard let data = Data(base64Encoded: padded), data.base64EncodedString() == padded else { return nil }
        return Array(data)
    }

    static func encode(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// The text of `bytes`, without the padding that PHC strings leave out.
    static func encodeUnpadded(_ bytes: [UInt8]) -> String { String(encode(bytes).prefix { $0 != "=" }) }
}
