import StrictJSON

/// The members of a JOSE header that we use (RFC 7515 §4.1). All others, including `jku`, `x5u`, `jwk` and `x5c`, are
/// neither fetched nor trusted (security guide R-06).
package struct JWSHeader: Sendable, Equatable {
    package let algorithm: SignatureAlgorithm
    package let keyID: String?
    package let type: String?

    /// Reads a decoded header.
    ///
    /// - Parameters:
    ///   - acceptsEd25519Name: Whether `Ed25519` (RFC 9864) counts as `EdDSA`.
    ///   - acceptsNulls: Whether a `kid` or `typ` that is `null` counts as missing.
    init(_ json: [UInt8], acceptsEd25519Name: Bool, acceptsNulls: Bool) throws(TokenRejection) {
        let limits = StrictJSON.Limits(bytesMax: TokenLimits.headerBytesMax, depthMax: TokenLimits.depthMax)
        let header: JSONValue
        do { header = try StrictJSON.parse(json, limits: limits) } catch { throw .malformed }
        guard header["crit"] == nil, header["b64"] == nil else { throw .critical }
        guard let name = header["alg"]?.stringValue else { throw .malformed }
        algorithm = try Self.algorithm(name, acceptsEd25519Name)
        func optional(_ name: String) -> JSONValue? { header[name].flatMap { acceptsNulls && $0 == .null ? nil : $0 } }
        keyID = try Self.string(optional("kid"), or: .invalidKeyID)
        type = try Self.string(optional("typ"), or: .wrongType)
    }

    private static func algorithm(
        _ name: String, _ acceptsEd25519Name: Bool
    ) throws(TokenRejection) -> SignatureAlgorithm {
        if acceptsEd25519Name, name == "Ed25519" { return .EdDSA }
        guard let algorithm = SignatureAlgorithm(rawValue: name) else { throw .unsupportedAlgorithm }
        return algorithm
    }

    /// Returns the string in `value`, or `nil` for a missing member.
    private static func string(_ value: JSONValue?, or rejection: TokenRejection) throws(TokenRejection) -> String? {
        guard let value else { return nil }
        guard let string = value.stringValue else { throw rejection }
        return string
    }
}
