import AccessTokens

/// Who a verified access token speaks for, and what is compared with revocations.
package struct TokenIdentity: Sendable, Equatable {
    let userID: String
    let sessionID: String
    /// The same for the list of revocations, made once for each token.
    let sessionKey: SessionKey
    let keyID: String
    let version: Int64
    let role: String?
    /// Unix seconds; refused at or after it.
    let expiresAt: Int64
    /// The user's number, if the profile puts it into the token.
    let phone: String?
    /// What the user was called where he was moved in from, if the profile puts it into the token.
    let legacyID: String?
    /// The identity as header lines for the upstream, made once for each token; nil when no header may hold it.
    let headerLines: [UInt8]?

    package init(
        userID: String, sessionID: String, keyID: String, version: Int64, role: String?, expiresAt: Int64,
        phone: String? = nil, legacyID: String? = nil
    ) {
        self.userID = userID
        self.sessionID = sessionID
        sessionKey = SessionKey(sessionID)
        self.keyID = keyID
        self.version = version
        self.role = role
        self.expiresAt = expiresAt
        self.phone = phone
        self.legacyID = legacyID
        headerLines = IdentityHeaders.lines(
            userID: userID, sessionID: sessionID, role: role, legacyID: legacyID)
    }

    init(_ token: VerifiedAccessToken) {
        let claims = token.claims
        let text = { (name: String) -> String? in
            if case .string(let text) = claims.additional[name] { text } else { nil }
        }
        self.init(
            userID: claims.subject, sessionID: claims.sessionID, keyID: token.keyID, version: claims.version,
            role: text("role"), expiresAt: claims.expiresAt, phone: text("phone"),
            legacyID: text("legacy_id"))
    }
}
