/// Why a registration or an assertion is refused. Each case is one check; the raw value is the reason in the audit log.
package enum WebAuthnRefusal: String, Error, Sendable, CaseIterable {
    /// The `type` is not `public-key`, or `id` is not canonical base64url of 16 to 1,023 bytes, or differs from `rawId`, from
    /// the authenticator data, or from the record.
    case credentialID = "credential_id"
    /// The client data is too large, not strict JSON, or has a member of the wrong type.
    case clientData = "client_data"
    /// The client data belongs to the other ceremony.
    case ceremony
    case challenge
    case origin
    /// The ceremony ran inside a frame of another site.
    case frame
    /// The attestation object is too large, is not CBOR of our subset, or has other members than its three.
    case attestationObject = "attestation_object"
    /// The format `none` has a statement.
    case attestationStatement = "attestation_statement"
    /// The authenticator data is too short or too long for its flags, or is not CBOR of our subset.
    case authenticatorData = "authenticator_data"
    /// The credential belongs to another relying party.
    case relyingParty = "relying_party"
    case userPresence = "user_presence"
    case userVerification = "user_verification"
    /// The credential is backed up, but cannot be.
    case backupState = "backup_state"
    /// A registration has no credential in its authenticator data, or an assertion has one.
    case attestedCredential = "attested_credential"
    /// The public key's algorithm, members or numbers are not allowed.
    case publicKey = "public_key"
    /// The client states that the credential is not discoverable, so no sign-in could find it.
    case notDiscoverable = "not_discoverable"
    case userHandle = "user_handle"
    /// A credential that could be backed up states that it no longer can be.
    case backupEligibility = "backup_eligibility"
    case signature
}
