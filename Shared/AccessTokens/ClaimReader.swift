package import StrictJSON

/// Reads typed claims from a payload.
package struct ClaimReader {
    package let object: JSONObject

    /// Reads a payload whose signature is verified.
    ///
    /// - Throws: `.malformed` for anything other than one strict JSON object.
    package init(json: [UInt8]) throws(TokenRejection) {
        let limits = StrictJSON.Limits(bytesMax: TokenLimits.tokenBytesMax, depthMax: TokenLimits.depthMax)
        let value: JSONValue
        do { value = try StrictJSON.parse(json, limits: limits) } catch { throw .malformed }
        guard let object = value.objectValue else { throw .malformed }
        self.object = object
    }

    /// Reads an object that is part of such a payload.
    package init(object: JSONObject) { self.object = object }

    package func string(_ name: String) throws(TokenRejection) -> String {
        guard let string = try value(name).stringValue else { throw .invalidClaim }
        return string
    }

    /// Returns an integer claim. A fraction, an exponent or a value beyond Int64 is invalid (security guide R-10).
    package func integer(_ name: String) throws(TokenRejection) -> Int64 {
        guard let integer = try value(name).integerValue else { throw .invalidClaim }
        return integer
    }

    package func optionalInteger(_ name: String) throws(TokenRejection) -> Int64? {
        object[name] == nil ? nil : try integer(name)
    }

    /// Returns a claim that is a string, or an array of only strings (RFC 7519 §4.1.3).
    package func strings(_ name: String) throws(TokenRejection) -> [String] {
        let value = try value(name)
        if let string = value.stringValue { return [string] }
        guard let array = value.arrayValue else { throw .invalidClaim }
        let strings = array.compactMap(\.stringValue)
        guard strings.count == array.count else { throw .invalidClaim }
        return strings
    }

    /// Returns a claim of 1–256 visible ASCII characters: identifiers become header values and Redis keys (security guide
    ///
    package func identifier(_ name: String) throws(TokenRejection) -> String {
        let string = try string(name)
        guard !string.isEmpty, string.utf8.count <= TokenLimits.identifierBytesMax,
            string.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .invalidClaim }
        return string
    }

    /// Returns the `sub` of `act`, or `nil` if the token is the subject's own.
    func actor() throws(TokenRejection) -> String? {
        guard let actor = object[ActingAudience.claim]?.objectValue else { return nil }
        return try ClaimReader(object: actor).identifier("sub")
    }

    /// The claims without a member of their own, if their values are simple.
    var additional: [String: ClaimValue] {
        var claims: [String: ClaimValue] = [:]
        for member in object.members where !AccessTokenClaims.registeredNames.contains(member.name) {
            claims[member.name] = ClaimValue(member.value)
        }
        return claims
    }

    private func value(_ name: String) throws(TokenRejection) -> JSONValue {
        guard let value = object[name] else { throw .missingClaim }
        return value
    }
}

extension ClaimValue {
    /// Returns the value, or `nil` for one that no claim has: `null`, a fraction, an object, or a list of anything but strings.
    package init?(_ value: JSONValue) {
        switch value {
        case .string(let string): self = .string(string)
        case .integer(let integer): self = .integer(integer)
        case .bool(let bool): self = .bool(bool)
        case .array(let array):
            let strings = array.compactMap(\.stringValue)
            guard strings.count == array.count else { return nil }
            self = .strings(strings)
        case .null, .double, .object: return nil
        }
    }
}
