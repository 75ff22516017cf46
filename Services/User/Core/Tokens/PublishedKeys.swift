import AccessTokens
import CryptoPrimitives
import InternalAPI

/// The source of access tokens' keys: token-service's JWKS and, if a profile signs with HS256, a file.
struct PublishedKeys: Sendable {
    let tokenService: ServiceClient
    /// The current secret `jwt_hs256`, or `nil` if no profile signs with it.
    let secrets: @Sendable () -> KeyRing?

    /// Fetches the current key set.
    func fetch() async throws -> VerificationKeySet {
        let jwks = try await tokenService.call(TokenOperations.keySet, requestID: nil).answer
        return try VerificationKeySet(jwks, secrets: secrets())
    }
}
