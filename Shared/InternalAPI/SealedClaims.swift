package import CryptoPrimitives
import StrictJSON

/// A statement from one service to another that passes through a third, which can read but not forge it.
///
/// Form: `<kind>.<kid>.<base64url JSON>.<base64url HMAC-SHA256>`. The code covers the kind, so that no statement of one kind
/// passes as another, even under a shared key (security guide R-14). In clear it only tells the reader which keys open the text.
package protocol SealedStatement: Codable, Sendable {
    /// The kind, without a dot.
    static var kind: String { get }
    /// Unix time in seconds from which the statement is refused.
    var expiresAt: Int64 { get }
}

/// Why a sealed statement is refused.
package enum SealRefusal: String, Error, Sendable {
    case malformed, unknownKey, forged, expired
}

extension SealedStatement {
    /// Returns the statement sealed under the ring's signing key.
    package func sealed(with keys: KeyRing) throws -> String {
        let signed = "\(Self.kind).\(keys.signing.id).\(Base64URL.encode(try StrictJSON.encode(self)))"
        return signed + "." + Base64URL.encode(Self.code(of: Array(signed.utf8)[...], by: keys.signing))
    }

    /// Opens a statement that `sealed` returned.
    ///
    /// - Parameter now: Unix time in seconds.
    /// - Throws: The first reason to refuse the statement. A forged one is never reported as expired.
    package static func open(_ text: String, with keys: KeyRing, now: Int64) throws(SealRefusal) -> Self {
        let bytes = Array(text.utf8)
        guard bytes.count <= SealLimits.textBytesMax else { throw .malformed }
        // A kid may contain dots, the other parts cannot.
        guard let kindDot = bytes.firstIndex(of: dot), let codeDot = bytes.lastIndex(of: dot),
            let bodyDot = bytes[..<codeDot].lastIndex(of: dot), kindDot < bodyDot,
            let code = Base64URL.decode(bytes[(codeDot + 1)...])
        else { throw .malformed }
        guard bytes[..<kindDot].elementsEqual(kind.utf8) else { throw .forged }
        guard let key = keys[String(decoding: bytes[(kindDot + 1)..<bodyDot], as: UTF8.self)] else {
            throw .unknownKey
        }
        guard constantTimeEqual(code, Self.code(of: bytes[..<codeDot], by: key)) else { throw .forged }
        guard let body = Base64URL.decode(bytes[(bodyDot + 1)..<codeDot]) else { throw .malformed }
        let statement: Self
        do { statement = try StrictJSON.decode(Self.self, from: body, limits: .own) } catch { throw .malformed }
        guard now < statement.expiresAt else { throw .expired }
        return statement
    }

    private static var dot: UInt8 { UInt8(ascii: ".") }

    private static func code(of signed: ArraySlice<UInt8>, by key: KeyRing.Key) -> [UInt8] {
        key.hmac.authenticate(Array("latchkey:".utf8) + signed)
    }
}

/// The bounds of sealed statements.
package enum SealLimits {
    package static let textBytesMax = 8192
}

/// A sealed text whose kind is not known yet.
package enum SealedText {
    /// The kind that the text states, which is not verified.
    package static func kind(of text: String) -> Substring { text.prefix { $0 != "." } }
}
