import AccessTokens
import StrictJSON

/// Tells whose an access token is, expired or not: a logout with an old token still ends its session.
struct AccessTokenReader: Sendable {
    private struct Payload: Decodable {
        let sid: String
    }

    let keys: SigningKeys

    /// The session of a token that one of our keys signed as an access token; nil for any other text.
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
            // Not ours: there is nothing to end, whatever is wrong with it.
            return nil
        }
    }
}
