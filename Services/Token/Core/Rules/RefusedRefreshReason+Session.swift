import InternalAPI

extension RefusedRefreshReason {
    /// Creates the reason for which no token of `session` is accepted any more, or returns `nil` if the client is not told.
    init?(_ result: RefreshResult, of session: SessionRecord) {
        switch (result, session.revokedFor) {
        case (.expired, _): self = .expired
        case (.revoked, .reuse): self = .reused
        case (.revoked, .deleted): self = .deleted
        case (.revoked, _): self = .signedOut
        default: return nil
        }
    }
}
