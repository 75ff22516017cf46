import InternalAPI

/// Notes when an identity's account was scheduled for deletion, for as long as tokens from before are accepted. A removed account
/// leaves nothing else by which such a token could be recognised, and a phone number may have another holder by then.
///
/// A note contains a keyed hash of the identity. It is stored as the response to a call that no client can make.
struct GivenUpIdentities: Sendable {
    private static let path = "identity given up"

    let tags: CallTags

    /// Returns the tag under which the deletion of an identity's account is noted.
    func tag(of identity: VerifiedIdentity) -> CallTag {
        tags.tag(Self.path, callID: "", body: [identity.kind.rawValue, identity.value])
    }

    /// Returns the notes about identities whose account was given up at `time`; none once no token from before is accepted.
    ///
    /// - Parameters:
    ///   - time: Unix time in seconds.
    ///   - now: Unix time in seconds.
    func notes(_ identities: [VerifiedIdentity], givenUpAt time: Int64, now: Int64) -> [FirstAnswer] {
        let (end, overflows) = time.addingReportingOverflow(IdentityTokenRule.ageSecondsMax)
        guard !overflows, now < end else { return [] }
        return identities.map {
            FirstAnswer(
                call: tag(of: $0), answer: Array("\(time)".utf8), user: nil, endsSessions: false, expiresAt: end)
        }
    }
}
