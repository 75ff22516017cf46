import CryptoPrimitives
import FoundationEssentials

/// Twilio's signature of its callbacks: HMAC-SHA1 over the public URL and the sorted fields (integration guide 1.3).
package enum TwilioSignature {
    /// The value of `X-Twilio-Signature`.
    ///
    /// - Parameters:
    ///   - url: the whole public URL with its query, as Twilio was given it.
    ///   - fields: of the form, in any order, those without a value too.
    package static func sign(url: String, fields: [(String, String)], token: String) -> String {
        // By name, then by value, in the order of Unicode's scalars, as Twilio's own library sorts; a field that stands there
        // twice with one value counts once.
        let sorted = Set(fields.map { Field(name: $0.0, value: $0.1) }).sorted()
        let text = sorted.reduce(into: url) { $0 += $1.name + $1.value }
        return Data(HMACSHA1.authenticate(Array(text.utf8), key: Array(token.utf8))).base64EncodedString()
    }

    /// Whether one of `tokens` made the signature.
    ///
    /// - Parameters:
    ///   - url: as for `sign`; tried with and without the port that its scheme has by itself, as Twilio is not of one mind.
    ///   - body: for a JSON body, whose SHA-256 the URL then names and which has no fields; nil for a form.
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

    /// The URL without its port, and with it.
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
