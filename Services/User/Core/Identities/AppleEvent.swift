import AccessTokens
import StrictJSON

/// An event that Apple reports about one of its accounts ("Processing changes for Sign in with Apple accounts").
struct AppleEvent: Sendable, Equatable {
    /// The types of events.
    enum Kind: String, Sendable, CaseIterable {
        /// The user no longer signs in to the app with Apple.
        case consentRevoked = "consent-revoked"
        /// The account at Apple is deleted.
        case accountDeleted = "account-deleted"
        /// The earlier spelling.
        case accountDelete = "account-delete"
        /// Apple stopped, or began again, to forward mails to the user.
        case emailDisabled = "email-disabled"
        case emailEnabled = "email-enabled"
    }

    /// The `jti` of the notification.
    let id: String
    /// `nil` if the type is unknown.
    let kind: Kind?
    let subject: String
    /// Unix time in seconds.
    let at: Int64
    /// Unix time in seconds from which on the notification is refused.
    let expiresAt: Int64
}

extension IdentityTokenRule {
    /// Numbers above this are times in milliseconds. As seconds, it is in the year 5138.
    private static let secondsMax: Int64 = 100_000_000_000

    /// Verifies a notification, which has the form of an identity token with the claim `events`.
    ///
    /// - Parameters:
    ///   - key: Apple's key for the notification, or `nil` if there is none.
    ///   - now: Unix time in seconds.
    /// - Throws: the first rule that fails: algorithm, key, signature, issuer, audience, times, event.
    func event(
        in token: IdentityToken, key: VerificationKey?, now: Int64
    ) throws(IdentityTokenRejection) -> AppleEvent {
        let claims = try claims(of: token, key: key)
        try checkIssuer(claims)
        _ = try audience(claims)
        let issuedAt = try issueTime(claims, now: now)
        // Apple's documents show notifications with and without `exp`.
        let oldest = issuedAt + Self.ageSecondsMax
        let expiry =
            try read { () throws(TokenRejection) in try claims.optionalTime("exp", rounded: .down) }
            ?? oldest
        guard now - leewaySeconds < expiry else { throw .expired }
        return try read { () throws(TokenRejection) in
            let event = try Self.content(claims)
            let time = try event.optionalTime("event_time", rounded: .down) ?? issuedAt
            return AppleEvent(
                id: try claims.identifier("jti"), kind: AppleEvent.Kind(rawValue: try event.string("type")),
                subject: try event.identifier("sub"), at: time > Self.secondsMax ? time / 1_000 : time,
                expiresAt: oldest)
        }
    }

    /// The claim `events`, which is an object or, as Apple sends it, the text of one.
    private static func content(_ claims: ClaimReader) throws(TokenRejection) -> ClaimReader {
        if let object = claims.object["events"]?.objectValue { return ClaimReader(foreign: object) }
        return try ClaimReader(foreign: Array(try claims.string("events").utf8))
    }
}
