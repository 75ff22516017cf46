import CryptoPrimitives

extension VerificationKey {
    private static let begin = "-----BEGIN PUBLIC KEY-----"
    private static let end = "-----END PUBLIC KEY-----"

    /// Reads a public key from a file's text: a JWK in JSON, or PEM as `openssl pkey -pubout` writes it.
    ///
    /// - Throws: `KeyError` for any other text, for a secret of HS256, and for a weak key.
    package init(publicText text: String) throws(KeyError) {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces }.filter { !$0.isEmpty }
        guard lines.first == Self.begin[...] else {
            try self.init(jwkText: Array(text.utf8))
            guard algorithm != .HS256 else { throw .unsupportedKey }
            return
        }
        guard lines.count > 2, lines.last == Self.end[...],
            let der = Base64URL.decode(base64: lines.dropFirst().dropLast().joined())
        else { throw .malformedKey }
        let key = try LibcryptoKey(publicKeyDER: der)
        try key.components.checkStrength()
        self.init(keyID: "", key: key)
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring { self.drop { $0 == " " }.trimmingEnd }
    private var trimmingEnd: Substring { lastIndex { $0 != " " }.map { self[...$0] } ?? "" }
}

extension Base64URL {
    /// Decodes Base64 with padding (RFC 4648 section 4).
    fileprivate static func decode(base64 text: String) -> [UInt8]? {
        let digits = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
        let padding = digits.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        return padding <= 2 && digits.count % 4 == 0 ? decode(digits.dropLast(padding)) : nil
    }
}
