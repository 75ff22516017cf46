package import CryptoPrimitives
import StrictJSON

/// Encrypts the identity in the audit record of a long lockout, so that user-service finds its account and Redis contains no phone number.
package struct LockoutSeal: Sendable {
    /// The shortest lockout, in seconds, for which the account is reviewed.
    package static let reviewedSeconds: Int64 = 86_400

    private let seal: StorageSeal

    /// - Parameter ring: `attestation_otp_user`.
    package init(ring: KeyRing) { seal = StorageSeal(ring: ring, info: "latchkey otp lockouts") }

    package func seal(_ identity: VerifiedIdentity) throws -> [UInt8] {
        try seal.seal(try StrictJSON.encode(identity), context: Self.context)
    }

    /// Returns the identity, or `nil` if no key opens it.
    package func open(_ sealed: [UInt8]) -> VerifiedIdentity? {
        guard let opened = seal.open(sealed, context: Self.context) else { return nil }
        do { return try StrictJSON.decode(VerifiedIdentity.self, from: opened, limits: .own) } catch { return nil }
    }

    private static let context = Array("lockout".utf8)
}
