import InternalAPI

/// Notes when a phone number's account was scheduled for deletion, for as long as phone tokens from before are accepted. A removed
/// account leaves nothing else by which such a token could be recognised, and the number may have another holder by then.
///
/// A note contains a keyed hash of the number. It is stored as the response to a call that no client can make.
struct GivenUpNumbers: Sendable {
    private static let path = "phone number given up"

    let tags: CallTags

    /// Returns the tag under which the deletion of a phone number's account is noted, or `nil` for any other identity.
    func tag(of identity: ProvedIdentity) -> CallTag? {
        identity.kind == .phone ? tags.tag(Self.path, callID: "", body: [identity.value]) : nil
    }

    /// Returns the note about an account that is scheduled for deletion, if it has a phone number.
    ///
    /// - Parameter now: Unix time in seconds.
    func note(_ user: User, at now: Int64) -> UserChange? {
        guard let phone = user.phone, let tag = tag(of: .phone(phone)) else { return nil }
        return .answer(
            FirstAnswer(
                call: tag, answer: Array("\(now)".utf8), user: nil, endsSessions: false,
                expiresAt: now + IdentityTokenRule.ageSecondsMax))
    }
}
