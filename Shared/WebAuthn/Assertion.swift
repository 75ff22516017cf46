import AccessTokens
import CryptoPrimitives

/// An assertion in JSON, in the form of `PublicKeyCredential.toJSON()`; unknown members are ignored (L3 §5.1).
package struct AssertionCredential: Codable, Sendable, Equatable {
    package struct Response: Codable, Sendable, Equatable {
        package var clientDataJSON: String
        package var authenticatorData: String
        package var signature: String
        package var userHandle: String?
    }

    package var id: String
    package var rawId: String
    package var type: String
    package var response: Response
}

/// The contents of a verified assertion.
package struct VerifiedAssertion: Codable, Sendable, Equatable {
    /// The judgement of an assertion's counter, which shows copies of the key (L3 §6.1.1).
    package enum Counter: Sendable, Equatable {
        case plausible
        /// It does not rise, but copies of a synced key count separately: admitted and audited.
        case ofSyncedCopy
        /// It does not rise, so a key that cannot be backed up may have been copied: refused, audited and announced.
        case ofClone
    }

    package let signCount: UInt32
    package let isUserVerified: Bool
    package let isBackupEligible: Bool
    package let isBackedUp: Bool

    /// Compares the counter with the record's. The caller does so in the transaction that stores the new counter, and not
    /// again for a repeat of the same call.
    package func counter(after stored: UInt32) -> Counter {
        guard signCount <= stored, stored > 0 else { return .plausible }
        return isBackupEligible ? .ofSyncedCopy : .ofClone
    }
}

extension RelyingParty {
    /// Verifies an assertion against the record of its credential (L3 §7.2).
    ///
    /// Only the key of the record counts before the signature is verified, so that a failure tells nothing of the rest, not even
    /// by its time. For an unknown credential the caller passes a record with a fixed key.
    /// - Parameters:
    ///   - challenge: The random bytes of the options.
    ///   - requiresUserHandle: Whether the assertion has to contain the user's handle, since nothing else identified the user. A
    ///     handle that is there must always be the record's.
    package func verify(
        _ credential: AssertionCredential, record: CredentialRecord, challenge: [UInt8], requiresUserHandle: Bool,
        requiresUserVerification: Bool
    ) throws(WebAuthnRefusal) -> VerifiedAssertion {
        let id = try credentialID(credential.id, rawID: credential.rawId, type: credential.type)
        guard id == record.id else { throw .credentialID }
        let response = credential.response
        let clientDataHash = try checkedHash(
            ofClientData: response.clientDataJSON, ceremony: .assertion, challenge: challenge)
        guard let bytes = Base64URL.decode(response.authenticatorData) else { throw .authenticatorData }
        let data = try AuthenticatorData(bytes)
        try check(data, requiresUserVerification: requiresUserVerification)
        guard data.credential == nil else { throw .attestedCredential }
        guard let signature = Base64URL.decode(response.signature),
            try COSEKey.verificationKey(record.publicKey).isValid(
                assertionSignature: signature, for: bytes + clientDataHash)
        else { throw .signature }
        try Self.check(userHandle: response.userHandle, record: record, isRequired: requiresUserHandle)
        // Platforms let a credential become eligible when syncing is turned on; none takes that back.
        let isBackupEligible = data.flags.contains(.backupEligible)
        guard isBackupEligible || !record.isBackupEligible else { throw .backupEligibility }
        return VerifiedAssertion(
            signCount: data.signCount, isUserVerified: data.flags.contains(.userVerified),
            isBackupEligible: isBackupEligible, isBackedUp: data.flags.contains(.backedUp))
    }

    /// An empty handle counts as none, since some clients send one.
    private static func check(
        userHandle text: String?, record: CredentialRecord, isRequired: Bool
    ) throws(WebAuthnRefusal) {
        guard let text, !text.isEmpty else {
            if isRequired { throw .userHandle }
            return
        }
        guard let handle = Base64URL.decode(text), constantTimeEqual(handle, record.userHandle) else {
            throw .userHandle
        }
    }
}
