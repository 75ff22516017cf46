import CryptoPrimitives
import FoundationEssentials

/// Twilio's signature on its callbacks: HMAC-SHA1 over the public URL and the sorted fields (integration guide 1.3).
package enum TwilioSignature {
    /// Returns the value of `X-Twilio-Signature`.
    ///
    /// - Parameters:
    ///     - url: The whole public URL with its query, as configured at Twilio.
    ///     - fields: The form's fields in any order, including those without a value.
    package static func sign(url: String, fields: [(String, String)], token: String) -> String {
        // By name, then by value, in the order of Unicode scalars, as Twilio's own library sorts; a field repeated with the
        // same value counts once.
        let sorted = Set(fields.map { Field(name: $0.0, value: $0.1) }).sorted()
        let text = sorted.reduce(into: url) { $0 += $1.name + $1.value }
        return Data(HMACSHA1.authenticate(Array(text.utf8), key: Array(token.utf8))).base64EncodedString()
    }

    /// Whether one of `tokens` made the signature.
    ///
    /// - Parameters:
    ///     - url: The URL, as in `sign`; tried with and without the default port of its scheme, since Twilio's products differ.
    ///     - body: A JSON body, which has no fields and whose SHA-256 is in the URL; `nil` for a form.
    package static func isValid(
        _ signature: String, url: String, fields: [(String, String)], body: [UInt8]? = nil, tokens: [String]
    ) -> Bool {
        if let body, let digest = bodyDigest(in: url) {
            guard constantTimeEqual(Array(digest.lowercased().utf8), Array(Hex.encode(SHA256.hash(body)).utf8)) else {
                return false
            }
        }
        let given = Array(signature.utf8)
        var isValid = false
        for token in tokens {
            for spelling in spellings(of: url) {
                let ours = Array(sign(url: spelling, fields: body == nil ? fields : [], token: token).utf8)
                isValid = constantTimeEqual(ours, given) || isValid
            }
        }
        return isValid
    }

    private struct Field: Hashable, Comparable {
        let name: String
        let value: String

        static func < (one: Field, other: Field) -> Bool {
            one.name == other.name
                ? one.value.unicodeScalars.lexicographicallyPrecedes(other.value.unicodeScalars)
                : one.name.unicodeScalars.lexicographicallyPrecedes(other.name.unicodeScalars)
        }
    }

    /// Returns the URL without its port, and with it.
    private static func spellings(of url: String) -> [String] {
        guard let start = url.firstRange(of: "://")?.upperBound else { return [url] }
        let authority = url[start...].prefix { $0 != "/" && $0 != "?" }
        let name = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        let standard = url.hasPrefix("https://") ? ":443" : ":80"
        let (head, tail) = (String(url[..<start]), String(url[authority.endIndex...]))
        let other = name.count < authority.count ? head + name + tail : head + authority + standard + tail
        return [url, other]
    }

    private static func bodyDigest(in url: String) -> String? {
        guard let start = url.firstRange(of: "bodySHA256=")?.upperBound else { return nil }
        return String(url[start...].prefix { $0 != "&" })
    }
}
