import CryptoPrimitives
import ServiceKit

/// The keys that user-service seals, opens and names things with.
struct UserKeys: Sendable {
    let storage, attestations, grants: KeyRing
    /// Seal proofs of our own.
    let proofs: KeyRing

    init(storage: KeyRing, attestations: KeyRing, grants: KeyRing) throws {
        (self.storage, self.attestations, self.grants) = (storage, attestations, grants)
        proofs = try PasswordProof.keys(storage)
    }

    /// Reads the secrets `user_storage_key`, `attestation_otp_user` and `grant_user_token`.
    init(_ settings: ProcessSettings) throws {
        try self.init(
            storage: try settings.secrets.keyRing("user_storage_key"),
            attestations: try settings.secrets.keyRing("attestation_otp_user"),
            grants: try settings.secrets.keyRing("grant_user_token"))
    }
}
