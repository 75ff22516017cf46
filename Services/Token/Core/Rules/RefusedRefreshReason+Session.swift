import InternalAPI

extension RefusedRefreshReason {
    /// Creates the reason for which no token of `session` is accepted any more, or returns `nil` if the client is not told.
    init?(_ result: RefreshResult, of session: SessionRecord) {
        switch (result, session.revokedFor) {
        case (.expired, _): self = .expired
        case (.revoked, .reuse): self = .reused
        case (.revoked, .deleted): self = .deleted
        // The page has the cookies of its new session, which this answer must not remove.
        case (.revoked, .replaced): self = .superseded
        case (.revoked, _): self = .signedOut
        default: return nil
        }
    }
}
