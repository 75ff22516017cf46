import AccessTokens
import Policies
import StrictJSON
import UserEvents

/// Makes Security Event Tokens (RFC 8417) of revoked sessions, with the event type `session-revoked` of OpenID CAEP.
///
/// They are signed with the keys of access tokens. Their `typ` is another, and they have no `exp`, so that no verifier takes one for
/// an access token.
struct SecurityEventTokens: Sendable {
    static let type = "secevent+jwt"
    static let sessionRevoked = "https://schemas.openid.net/secevent/caep/event-type/session-revoked"

    let issuer: String
    let audience: String
    /// The algorithm of the policy's first profile.
    let algorithm: String
    let keys: SigningKeys
    /// Unix time in seconds.
    let now: @Sendable () -> Int64

    init?(_ policy: Policy, keys: SigningKeys, now: @escaping @Sendable () -> Int64) {
        guard policy.userHook.format == .set, let profile = policy.profiles.first else { return nil }
        (issuer, audience, algorithm) = (policy.issuer, policy.audience, profile.algorithm)
        (self.keys, self.now) = (keys, now)
    }

    func token(of event: QueuedEvent, userID: String) throws -> String {
        guard let algorithm = SignatureAlgorithm(rawValue: algorithm),
            let key = keys.current.signingKey(for: algorithm)
        else { throw AccessTokenMint.NoKey(algorithm: algorithm) }
        let session = event.subject.flatMap(SessionID.init)?.text ?? ""
        let claims = Claims(
            iss: issuer, aud: audience, iat: now(), jti: EventPoster.id(of: event),
            subject: Claims.Subject(user: Claims.User(iss: issuer, sub: userID), session: Claims.Session(id: session)),
            events: [
                Self.sessionRevoked: Claims.Event(time: event.madeAt, reason: event.reason.map { ["en": $0] })
            ])
        return try CompactJWS.sign(try StrictJSON.encode(claims), type: Self.type, with: key)
    }
}

extension SecurityEventTokens {
    fileprivate struct Claims: Encodable {
        struct Subject: Encodable {
            let format = "complex"
            let user: User
            let session: Session
        }

        struct User: Encodable {
            let format = "iss_sub"
            let iss: String
            let sub: String
        }

        struct Session: Encodable {
            let format = "opaque"
            let id: String
        }

        struct Event: Encodable {
            let time: Int64
            let reason: [String: String]?

            enum CodingKeys: String, CodingKey {
                case time = "event_timestamp"
                case reason = "reason_admin"
            }
        }

        let iss: String
        let aud: String
        let iat: Int64
        let jti: String
        let subject: Subject
        let events: [String: Event]

        enum CodingKeys: String, CodingKey {
            case iss, aud, iat, jti, events
            case subject = "sub_id"
        }
    }
}
