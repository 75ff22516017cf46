import CryptoPrimitives
import FoundationEssentials
package import InternalAPI

/// Requests to user-service, in answer to the options that it made.
extension SoftwareAuthenticator {
    /// Creates an authenticator for the options of a registration, in front of the relying party's own site.
    package init(for options: PasskeyOptions) throws {
        try self.init(
            relyingPartyID: options.relyingPartyID, origin: "https://" + options.relyingPartyID,
            userHandle: Base64URL.decode(options.owner?.handle ?? "") ?? [])
    }

    /// Makes the request that registers the credential.
    package func registration(for options: PasskeyOptions) throws -> AddPasskeyRequest {
        let credential = registration(challenge: Base64URL.decode(options.challenge) ?? []).json
        return try Self.decoded(
            #"{"challengeID":"\#(options.challengeID)","credential":\#(credential),"callID":"\#(CallID.random())"}"#)
    }

    /// Makes an assertion for the challenge.
    package func assertion(for options: PasskeyOptions) throws -> PresentedPasskey {
        let credential = try assertion(challenge: Base64URL.decode(options.challenge) ?? []).json
        return try Self.decoded(#"{"challengeID":"\#(options.challengeID)","credential":\#(credential)}"#)
    }

    private static func decoded<Request: Decodable>(_ json: String) throws -> Request {
        try JSONDecoder().decode(Request.self, from: Data(json.utf8))
    }
}
