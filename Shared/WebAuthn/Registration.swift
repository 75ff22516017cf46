import CryptoPrimitives

/// A new credential in JSON, in the form of `PublicKeyCredential.toJSON()`; unknown members are ignored (L3 §5.1).
package struct RegistrationCredential: Codable, Sendable, Equatable {
    package struct Response: Codable, Sendable, Equatable {
        package var clientDataJSON: String
        package var attestationObject: String
        package var transports: [String]?
    }

    package struct ExtensionResults: Codable, Sendable, Equatable {
        package struct Properties: Codable, Sendable, Equatable {
            package var rk: Bool?
        }

        package var credProps: Properties?
    }

    package var id: String
    package var rawId: String
    package var type: String
    package var response: Response
    package var clientExtensionResults: ExtensionResults?
}

/// A registered credential, as far as later assertions need it (L3 §4, credential record).
package struct CredentialRecord: Sendable, Equatable {
    package var id: [UInt8]
    /// The user's handle when the credential was made.
    package var userHandle: [UInt8]
    /// The public key as a COSE key.
    package var publicKey: [UInt8]
    /// The authenticator's model, which nothing proves.
    package var aaguid: [UInt8]
    package var signCount: UInt32
    package var isUserVerified: Bool
    package var isBackupEligible: Bool
    package var isBackedUp: Bool

    package init(
        id: [UInt8], userHandle: [UInt8], publicKey: [UInt8], aaguid: [UInt8], signCount: UInt32, isUserVerified: Bool,
        isBackupEligible: Bool, isBackedUp: Bool
    ) {
        self.id = id
        self.userHandle = userHandle
        self.publicKey = publicKey
        self.aaguid = aaguid
        self.signCount = signCount
        self.isUserVerified = isUserVerified
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp
    }
}

extension RelyingParty {
    private static let attestationObjectBytesMax = 8192

    /// Verifies a registration (L3 §7.1) and returns the record to store. No attestation is evaluated.
    ///
    /// Whether the credential is new is for the caller to check.
    /// - Parameters:
    ///   - challenge: The random bytes of the options.
    ///   - userHandle: The `user.id` of the options.
    package func register(
        _ credential: RegistrationCredential, challenge: [UInt8], userHandle: [UInt8], requiresUserVerification: Bool
    ) throws(WebAuthnRefusal) -> CredentialRecord {
        let id = try credentialID(credential.id, rawID: credential.rawId, type: credential.type)
        _ = try checkedHash(
            ofClientData: credential.response.clientDataJSON, ceremony: .registration, challenge: challenge)
        let data = try Self.authenticatorData(attestationObject: credential.response.attestationObject)
        try check(data, requiresUserVerification: requiresUserVerification)
        guard let attested = data.credential else { throw .attestedCredential }
        guard attested.id == id else { throw .credentialID }
        _ = try COSEKey.verificationKey(attested.publicKey)
        guard credential.clientExtensionResults?.credProps?.rk != false else { throw .notDiscoverable }
        return CredentialRecord(
            id: id, userHandle: userHandle, publicKey: attested.publicKey, aaguid: attested.aaguid,
            signCount: data.signCount, isUserVerified: data.flags.contains(.userVerified),
            isBackupEligible: data.flags.contains(.backupEligible), isBackedUp: data.flags.contains(.backedUp))
    }

    /// Reads the authenticator data inside an attestation object. A statement of another format than `none` proves nothing to
    /// us, and is skipped, since some clients send one unasked.
    private static func authenticatorData(attestationObject text: String) throws(WebAuthnRefusal) -> AuthenticatorData {
        guard let bytes = Base64URL.decode(text), bytes.count <= attestationObjectBytesMax,
            let members = CBOR(bytes)?.mapValue, members.count == 3, case .text(let format) = members[.text("fmt")],
            let statement = members[.text("attStmt")]?.mapValue,
            let authenticatorData = members[.text("authData")]?.bytesValue
        else { throw .attestationObject }
        guard format != "none" || statement.isEmpty else { throw .attestationStatement }
        return try AuthenticatorData(authenticatorData)
    }
}
