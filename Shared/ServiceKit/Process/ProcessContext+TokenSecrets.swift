package import CryptoPrimitives
import Policies

extension ProcessContext {
    /// Reads the secret `jwt_hs256`, which signs and verifies under HS256 and is never published; returns `nil` if no profile
    /// of the policy uses HS256.
    package func tokenSecrets() throws -> KeyRing? {
        guard policy.profiles.contains(where: { $0.algorithm == "HS256" }) else { return nil }
        return try settings.secrets.keyRing("jwt_hs256")
    }
}
