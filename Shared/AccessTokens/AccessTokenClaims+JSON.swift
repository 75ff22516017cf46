package import StrictJSON

extension AccessTokenClaims {
    /// Returns the claims as JSON, additional ones in the order of their names.
    ///
    /// - Throws: `.reservedClaim` if an additional claim has the name of a registered one.
    package func json() throws(KeyError) -> [UInt8] {
        var writer = registered
        for (name, value) in additional.sorted(by: { $0.key < $1.key }) {
            guard !Self.registeredNames.contains(name) else { throw .reservedClaim(name) }
            writer.member(name, value)
        }
        return writer.finished()
    }

    /// The claims without additional ones, as an object to which these can be written.
    package var registered: JSONWriter {
        var writer = JSONWriter()
        writer.member("iss", issuer)
        if audience.count == 1, let only = audience.first {
            writer.member("aud", only)
        } else {
            writer.member("aud", audience)
        }
        writer.member("sub", subject)
        writer.member("iat", issuedAt)
        writer.member("exp", expiresAt)
        writer.member("jti", tokenID)
        writer.member("sid", sessionID)
        writer.member("ver", version)
        if let actor { writer.member(ActingAudience.claim, sub: actor) }
        return writer
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ value: ClaimValue) {
        switch value {
        case .string(let string): member(name, string)
        case .integer(let integer): member(name, integer)
        case .bool(let bool): member(name, bool)
        case .strings(let strings): member(name, strings)
        }
    }
}
