import AccessTokens
import StrictJSON

/// Finds the session of an access token, expired or not, so that a logout with an old token still revokes its session.
struct AccessTokenReader: Sendable {
    private struct Payload: Decodable {
        let sid: String
    }

    let keys: SigningKeys

    /// Returns the session of a token that one of our keys signed as an access token, or `nil` for any other text.
    func session(of token: String) -> SessionID? {
        do {
            let jws = try CompactJWS(Array(token.utf8))
            guard jws.header.type == "at+jwt", let keyID = jws.header.keyID,
                let key = keys.current.verification[keyID]
            else { return nil }
            let payload = try StrictJSON.decode(
                Payload.self, from: try jws.payload(verifiedWith: key), limits: .own)
            return SessionID(text: payload.sid)
        } catch {
            // The token is not ours, so there is no session to revoke, whatever is wrong with it.
            return nil
        }
    }
}
