package import StrictJSON

/// Reads claims of other issuers' tokens as RFC 7519 allows. Our own tokens are read strictly (security guide R-10).
extension ClaimReader {
    /// Reads a payload of another issuer. A member that is `null` counts as missing.
    ///
    /// - Throws: `.malformed` for anything other than one strict JSON object.
    package init(foreign json: [UInt8]) throws(TokenRejection) {
        self.init(foreign: try ClaimReader(json: json).object)
    }

    /// Reads an object that is part of such a payload.
    package init(foreign object: JSONObject) { self.init(object: object.withoutNulls) }

    /// Returns a NumericDate in whole seconds; it may have a fraction or an exponent (RFC 7519 §2). A time beyond Int64 becomes
    /// the first or the last one.
    package func time(_ name: String, rounded rule: FloatingPointRoundingRule) throws(TokenRejection) -> Int64 {
        switch object[name] {
        case nil: throw .missingClaim
        case .integer(let seconds): return seconds
        case .double(let seconds):
            let whole = seconds.rounded(rule)
            return Int64(exactly: whole) ?? (whole < 0 ? .min : .max)
        default: throw .invalidClaim
        }
    }

    package func optionalTime(
        _ name: String, rounded rule: FloatingPointRoundingRule
    ) throws(TokenRejection) -> Int64? {
        object[name] == nil ? nil : try time(name, rounded: rule)
    }
}
