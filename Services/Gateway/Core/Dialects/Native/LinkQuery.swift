import CryptoPrimitives

/// The query of a link from a mail, with whatever a mail program, a tracker or a person has added around the token.
enum LinkQuery {
    /// Reads the member `token`, without the characters around it that no token has, such as the full stop of a sentence or a
    /// space.
    ///
    /// - Returns: `nil` if there is none, or if there are two different ones.
    static func token(_ query: String?) -> String? {
        let tokens = (query ?? "").split(separator: "&").filter { $0.hasPrefix("token=") }.map { part in
            FormBody.decode(part.dropFirst("token=".count).utf8).map(trimmed)
        }
        guard let first = tokens.first, tokens.allSatisfy({ $0 == first }) else { return nil }
        return first
    }

    /// The lengths of tokens: more than a link's token has, less than what is worth reading.
    private static let lengths = 22...128

    /// Reads the token of a link to one of the gateway's pages, or returns `nil` if it can be none of ours: nothing else is ever on a
    /// page.
    static func pageToken(_ query: String?) -> String? { token(query).flatMap(pageToken(text:)) }

    /// Returns the text if it can be a token of ours.
    static func pageToken(text: String) -> String? {
        lengths.contains(text.utf8.count) && Base64URL.decode(text) != nil ? text : nil
    }

    /// Whether the character is one of base64url (RFC 4648 §5).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    private static func trimmed(_ text: String) -> String {
        let rest = text.utf8.drop { !isToken($0) }
        let count = rest.reversed().drop { !isToken($0) }.count
        return String(decoding: rest.prefix(count), as: UTF8.self)
    }
}
