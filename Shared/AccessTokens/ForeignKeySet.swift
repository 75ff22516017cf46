import StrictJSON

/// Another issuer's published keys that verify one algorithm (RFC 7517 §5).
///
/// Our own keys always have a `kid` (`VerificationKeySet`); other issuers' keys and tokens may have none.
package struct ForeignKeySet: Sendable {
    /// The key that may have signed a token.
    package enum Match: Sendable {
        /// The key with the token's `kid`.
        case named(VerificationKey)
        /// The only key, if the token or the set has no `kid` (OpenID Connect Core 10.1).
        case only(VerificationKey)
        /// There are several keys, and no `kid` that distinguishes them.
        case several
        /// No key has the token's `kid`.
        case unknown

        package var key: VerificationKey? {
            switch self {
            case .named(let key), .only(let key): key
            case .several, .unknown: nil
            }
        }
    }

    fileprivate struct Entry: Sendable {
        /// The `kid`, which is any text (RFC 7517 §4.5).
        let name: String?
        let key: VerificationKey
    }

    private static let depthMax = 8

    private let entries: [Entry]

    /// Reads a published set and keeps the keys that verify `algorithm`.
    ///
    /// Keys of other kinds, for other uses or too weak are skipped, as RFC 7517 §5 recommends. A key without `alg` has its
    /// kind's algorithm. If several keys have one `kid`, the first counts.
    ///
    /// - Parameter bytesMax: The maximum size of the text.
    /// - Throws: `.malformedKey` if the text is no key set, `.unsupportedKey` if no key of it remains, `.tooManyKeys`.
    package init(_ text: [UInt8], for algorithm: SignatureAlgorithm, bytesMax: Int) throws(KeyError) {
        let limits = StrictJSON.Limits(bytesMax: bytesMax, depthMax: Self.depthMax)
        let value: JSONValue
        do { value = try StrictJSON.parse(text, limits: limits) } catch { throw .malformedKey }
        guard let keys = value["keys"]?.arrayValue else { throw .malformedKey }
        entries = keys.compactMap(Entry.init).filter { $0.key.algorithm == algorithm }
        guard !entries.isEmpty else { throw .unsupportedKey }
        guard entries.count <= TokenLimits.keyCountMax else { throw .tooManyKeys(maximum: TokenLimits.keyCountMax) }
    }

    /// Returns the key for a token.
    ///
    /// - Parameter keyID: The token's `kid`, or `nil` if it has none.
    package func match(_ keyID: String?) -> Match {
        if let keyID, let entry = entries.first(where: { $0.isNamed(keyID) }) { return .named(entry.key) }
        guard keyID == nil || entries.allSatisfy({ $0.name == nil }) else { return .unknown }
        guard let first = entries.first, entries.count == 1 else { return .several }
        return .only(first.key)
    }
}

extension ForeignKeySet.Entry {
    private static let members = ["kty", "kid", "alg", "use", "n", "e", "crv", "x", "y"]

    /// Reads the key of one entry, or returns `nil` if it cannot be used here.
    fileprivate init?(_ entry: JSONValue) {
        func text(_ name: String) -> String? { entry[name]?.stringValue }
        let isTyped = Self.members.allSatisfy { entry[$0].map { $0 == .null || $0.stringValue != nil } ?? true }
        guard isTyped, let type = text("kty") else { return nil }
        // RFC 9864 gives EdDSA on this curve the name of the curve.
        let algorithm = text("alg") == "Ed25519" && text("crv") == "Ed25519" ? nil : text("alg")
        let jwk = JSONWebKey(
            kty: type, kid: nil, alg: algorithm, use: text("use"), n: text("n"), e: text("e"), crv: text("crv"),
            x: text("x"), y: text("y"))
        do throws(KeyError) { key = try VerificationKey(jwk: jwk) } catch { return nil }
        name = text("kid")
    }

    /// Whether the `kid` has these bytes: `==` on strings treats U+212A KELVIN SIGN as `K`.
    fileprivate func isNamed(_ keyID: String) -> Bool { name?.utf8.elementsEqual(keyID.utf8) ?? false }
}
