package import AccessTokens
import CryptoPrimitives

/// An authenticator with one credential, and the browser in front of it: makes registrations and assertions in the JSON of
/// `PublicKeyCredential.toJSON()`. Every part can be replaced, so that tests can make hostile ones.
package struct SoftwareAuthenticator: Sendable {
    /// User present and verified, backup eligible and backed up, as a synced passkey has it.
    package static let syncedFlags: UInt8 = 0x1D

    package var relyingPartyID: String
    package var origin: String
    package var userHandle: [UInt8]
    package var credentialID = SecureRandom.bytes(32)
    package var aaguid = [UInt8](repeating: 0, count: 16)
    package var flags = Self.syncedFlags
    package var signCount: UInt32 = 0
    package let key: SigningKey

    /// Creates an authenticator with a new key: ES256, EdDSA or RS256.
    package init(
        algorithm: SignatureAlgorithm = .ES256, relyingPartyID: String, origin: String, userHandle: [UInt8]
    ) throws {
        self.relyingPartyID = relyingPartyID
        self.origin = origin
        self.userHandle = userHandle
        key = try SigningKey.generate(keyID: "passkey", algorithm: algorithm)
    }

    /// The public key's members as a COSE key, encoded.
    package var publicKeyMembers: [(key: [UInt8], value: [UInt8])] {
        let webKey = key.verificationKey.jwk
        func number(_ text: String?) -> [UInt8] { CBORWriter.bytes(text.flatMap { Base64URL.decode($0) } ?? []) }
        let members: [(Int64, [UInt8])] =
            switch key.algorithm {
            case .ES256:
                [
                    (1, [2]), (3, CBORWriter.integer(-7)), (-1, [1]), (-2, number(webKey?.x)), (-3, number(webKey?.y)),
                ]
            case .EdDSA: [(1, [1]), (3, CBORWriter.integer(-8)), (-1, [6]), (-2, number(webKey?.x))]
            default: [(1, [3]), (3, CBORWriter.integer(-257)), (-1, number(webKey?.n)), (-2, number(webKey?.e))]
            }
        return members.map { (CBORWriter.integer($0.0), $0.1) }
    }

    /// Returns attested credential data (L3 §6.5.1).
    package func attestedCredential(id: [UInt8]? = nil, publicKey: [UInt8]? = nil) -> [UInt8] {
        let id = id ?? credentialID
        return aaguid + BigEndian.bytes(UInt64(id.count), count: 2) + id
            + (publicKey ?? CBORWriter.map(publicKeyMembers))
    }

    /// Returns authenticator data (L3 §6.1); the flags AT and ED are those of the parts, unless `flags` is given.
    package func authenticatorData(
        flags: UInt8? = nil, relyingPartyID: String? = nil, credential: [UInt8] = [], extensions: [UInt8] = []
    ) -> [UInt8] {
        let parts: UInt8 = (credential.isEmpty ? 0 : 0x40) | (extensions.isEmpty ? 0 : 0x80)
        return SHA256.hash(Array((relyingPartyID ?? self.relyingPartyID).utf8)) + [flags ?? self.flags | parts]
            + BigEndian.bytes(UInt64(signCount), count: 4) + credential + extensions
    }

    /// Returns client data, with `more` before its closing brace.
    package func clientData(
        _ type: String, challenge: String, origin: String? = nil, more: String = ",\"crossOrigin\":false"
    ) -> [UInt8] {
        Array(
            "{\"type\":\"\(type)\",\"challenge\":\"\(challenge)\",\"origin\":\"\(origin ?? self.origin)\"\(more)}".utf8)
    }

    /// Returns an attestation object (L3 §6.5) with an encoded statement.
    package static func attestationObject(
        format: String = "none", statement: [UInt8] = [0xA0], authenticatorData: [UInt8]
    ) -> [UInt8] {
        CBORWriter.map([
            (CBORWriter.text("fmt"), CBORWriter.text(format)), (CBORWriter.text("attStmt"), statement),
            (CBORWriter.text("authData"), CBORWriter.bytes(authenticatorData)),
        ])
    }

    /// Makes a registration; a part that is given replaces the usual one.
    package func registration(
        challenge: [UInt8], clientData: [UInt8]? = nil, authenticatorData: [UInt8]? = nil,
        attestationObject: [UInt8]? = nil
    ) -> SoftwareRegistration {
        let data = authenticatorData ?? self.authenticatorData(credential: attestedCredential())
        return SoftwareRegistration(
            id: Base64URL.encode(credentialID), rawID: Base64URL.encode(credentialID),
            clientData: clientData ?? self.clientData("webauthn.create", challenge: Base64URL.encode(challenge)),
            attestationObject: attestationObject ?? Self.attestationObject(authenticatorData: data))
    }

    /// Makes an assertion over the given parts, or the usual ones.
    package func assertion(
        challenge: [UInt8], clientData: [UInt8]? = nil, authenticatorData: [UInt8]? = nil
    ) throws -> SoftwareAssertion {
        let clientData = clientData ?? self.clientData("webauthn.get", challenge: Base64URL.encode(challenge))
        let data = authenticatorData ?? self.authenticatorData()
        let signature = try key.sign(data + SHA256.hash(clientData))
        return SoftwareAssertion(
            id: Base64URL.encode(credentialID), rawID: Base64URL.encode(credentialID), clientData: clientData,
            authenticatorData: data, signature: key.algorithm == .ES256 ? Self.der(signature) : signature,
            userHandle: Base64URL.encode(userHandle))
    }

    /// Returns the DER form of an ES256 signature r ‖ s.
    package static func der(_ raw: [UInt8]) -> [UInt8] {
        let integers = [raw.prefix(32), raw.suffix(32)].flatMap { half -> [UInt8] in
            let digits = half.drop { $0 == 0 }
            let padded = (digits.first ?? 0x80) >= 0x80 ? [0] + digits : Array(digits)
            return [0x02, UInt8(truncatingIfNeeded: padded.count)] + padded
        }
        return [0x30, UInt8(truncatingIfNeeded: integers.count)] + integers
    }
}

/// A registration by its parts.
package struct SoftwareRegistration: Sendable {
    package var id: String
    package var rawID: String
    package var type = "public-key"
    package var clientData: [UInt8]
    package var attestationObject: [UInt8]
    package var extensionResults = "{}"

    package var json: String {
        """
        {"id":"\(id)","rawId":"\(rawID)","type":"\(type)","authenticatorAttachment":"platform","response":\
        {"clientDataJSON":"\(Base64URL.encode(clientData))","transports":["internal","hybrid"],\
        "attestationObject":"\(Base64URL.encode(attestationObject))"},"clientExtensionResults":\(extensionResults)}
        """
    }
}

/// An assertion by its parts.
package struct SoftwareAssertion: Sendable {
    package var id: String
    package var rawID: String
    package var type = "public-key"
    package var clientData: [UInt8]
    package var authenticatorData: [UInt8]
    package var signature: [UInt8]
    package var userHandle: String?

    package var json: String {
        """
        {"id":"\(id)","rawId":"\(rawID)","type":"\(type)","response":\
        {"clientDataJSON":"\(Base64URL.encode(clientData))","signature":"\(Base64URL.encode(signature))",\
        "authenticatorData":"\(Base64URL.encode(authenticatorData))",\
        "userHandle":\(userHandle.map { "\"\($0)\"" } ?? "null")},"clientExtensionResults":{}}
        """
    }
}
