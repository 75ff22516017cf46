import AccessTokens
import CryptoPrimitives
import InternalAPI

/// Where access tokens' keys come from: token-service's JWKS and, where a profile signs with HS256, a file.
struct PublishedKeys: Sendable {
    let tokenService: ServiceClient
    /// `jwt_hs256` as it is now; nil where no profile signs with it.
    let secrets: @Sendable () -> KeyRing?

    /// Fetches the set as it is now.
    func fetch() async throws -> VerificationKeySet {
        let jwks = try await tokenService.call(TokenOperations.keySet, requestID: nil).answer
        return try VerificationKeySet(jwks, secrets: secrets())
    }
}
