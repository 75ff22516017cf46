package import AccessTokens
import Policies

/// The holder of a verified access token, a user with their session, a client, or a person who acts as a user, and the facts that
/// are compared with revocations.
package struct TokenIdentity: Sendable, Equatable {
    /// The kinds of holders, which the audience keeps apart.
    package enum Holder: Sendable, Equatable {
        case user, client
        /// A person, by their id, who acts as the user.
        case acting(by: String)
    }

    let holder: Holder
    /// The id of the user or the client.
    let userID: String
    let sessionID: String
    /// The session's key in the list of revocations, made once for each token.
    let sessionKey: SessionKey
    let keyID: String
    let version: Int64
    let role: String?
    /// The time at which the token is refused, in Unix seconds: its `exp` and the policy's leeway.
    let acceptedUntil: Int64
    /// The user's phone number, if the profile puts it into the token.
    let phone: String?
    /// The user's id at the service from which they were imported, if the profile puts it into the token.
    let legacyID: String?
    /// The last time at which the user showed who they are, in Unix seconds, if the profile puts it into the token.
    let authenticatedAt: Int64?
    /// Whether the user has shown two factors, or a passkey that verified them, by the claim `acr`; `false` without the claim.
    let isMultiFactor: Bool
    /// Whether the user has shown a passkey, by the claim `amr`; `false` without the claim.
    let showsPasskey: Bool
    /// The claims that the profile maps, by their names.
    let mapped: [String: ClaimValue]
    /// The identity as header lines for the upstream, made once for each token; `nil` if no header may contain it.
    let headerLines: [UInt8]?

    package init(
        userID: String, sessionID: String, keyID: String, version: Int64, role: String?, acceptedUntil: Int64,
        phone: String? = nil, legacyID: String? = nil, authenticatedAt: Int64? = nil,
        isMultiFactor: Bool = false, showsPasskey: Bool = false,
        mapped: [String: ClaimValue] = [:], holder: Holder = .user
    ) {
        self.holder = holder
        self.userID = userID
        self.sessionID = sessionID
        sessionKey = SessionKey(sessionID)
        self.keyID = keyID
        self.version = version
        self.role = role
        self.acceptedUntil = acceptedUntil
        self.phone = phone
        self.legacyID = legacyID
        self.authenticatedAt = authenticatedAt
        (self.isMultiFactor, self.showsPasskey) = (isMultiFactor, showsPasskey)
        self.mapped = mapped
        headerLines =
            switch holder {
            case .user:
                IdentityHeaders.lines(userID: userID, sessionID: sessionID, role: role, legacyID: legacyID)
            case .client: IdentityHeaders.lines(clientID: userID)
            case .acting(let actorID):
                IdentityHeaders.lines(
                    userID: userID, sessionID: sessionID, role: role, legacyID: legacyID, actorID: actorID)
            }
    }

    init(_ token: VerifiedAccessToken, of holder: Holder = .user) {
        let claims = token.claims
        let text = { (name: String) -> String? in
            if case .string(let text) = claims.additional[name] { text } else { nil }
        }
        let authenticatedAt: Int64? =
            if case .integer(let time) = claims.additional[TokenProfile.authenticationTime] { time } else { nil }
        let methods: [String] =
            if case .strings(let names) = claims.additional[TokenProfile.methods] { names } else { [] }
        self.init(
            userID: claims.subject, sessionID: claims.sessionID, keyID: token.keyID, version: claims.version,
            role: text("role"), acceptedUntil: token.acceptedUntil, phone: text("phone"),
            legacyID: text("legacy_id"), authenticatedAt: authenticatedAt,
            isMultiFactor: text(TokenProfile.level) == AuthenticationLevel.aal2.rawValue,
            showsPasskey: methods.contains(AuthenticationMethod.pop.rawValue),
            mapped: claims.additional.filter { !TokenProfile.knownClaims.contains($0.key) }, holder: holder)
    }

    /// The identity of a token with `act`.
    init(acting token: VerifiedAccessToken) throws(TokenRejection) {
        guard let actorID = token.claims.actor else { throw .missingClaim }
        self.init(token, of: .acting(by: actorID))
    }

    /// The one whose requests are counted together: the user or the client, or the person who acts.
    var counted: String { if case .acting(let actorID) = holder { actorID } else { userID } }

    /// Whether the user showed who they are at most `seconds` ago. A time in the future, which a clock once stated, is not recent.
    ///
    /// - Parameter now: Unix time in seconds.
    func isAuthenticated(within seconds: Int64, now: Int64) -> Bool {
        authenticatedAt.map { (now - seconds...now + TokenLimits.futureSecondsMax).contains($0) } ?? false
    }
}
