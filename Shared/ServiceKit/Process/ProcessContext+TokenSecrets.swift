package import CryptoPrimitives
import Policies

extension ProcessContext {
    /// The secret `jwt_hs256`, which signs and verifies under HS256 and is never published; nil when no profile of the
    /// policy signs so.
    package func tokenSecrets() throws -> KeyRing? {
        guard policy.profiles.contains(where: { $0.algorithm == "HS256" }) else { return nil }
        return try settings.secrets.keyRing("jwt_hs256")
    }
}
