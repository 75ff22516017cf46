import CryptoPrimitives
import ServiceKit

/// The keys with which user-service seals, opens and tags data.
struct UserKeys: Sendable {
    let storage, attestations, grants: KeyRing
    /// The keys that seal user-service's own proofs.
    let proofs: KeyRing

    init(storage: KeyRing, attestations: KeyRing, grants: KeyRing) throws {
        (self.storage, self.attestations, self.grants) = (storage, attestations, grants)
        proofs = try OwnProof.keys(storage)
    }

    /// Reads the secrets `user_storage_key`, `attestation_otp_user` and `grant_user_token`.
    init(_ settings: ProcessSettings) throws {
        try self.init(
            storage: try settings.secrets.keyRing("user_storage_key"),
            attestations: try settings.secrets.keyRing("attestation_otp_user"),
            grants: try settings.secrets.keyRing("grant_user_token"))
    }
}
