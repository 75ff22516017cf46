import InternalAPI

/// Shows users their own profiles.
struct ReadProfile: Sendable {
    let queries: any UserQueries
    let userIDPrefix: String
    let attributes: AttributeRules

    func callAsFunction(_ caller: SignedInUser) async throws -> OperationOutcome<UserDetails, BearerRefusal> {
        .profile(of: try await queries.bearer(caller.id), idPrefix: userIDPrefix, attributes: attributes)
    }
}

extension OperationOutcome where Answer == UserDetails, Refusal: BearersRefusal {
    /// The profile of a user who may see it. The tokens of an account that is gone or scheduled for deletion are invalid.
    static func profile(of user: User?, idPrefix: String, attributes: AttributeRules) -> Self {
        guard let user else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        guard user.deletion == nil else { return .refused(.invalidToken) }
        return .answer(user.details(idPrefix: idPrefix, attributes: attributes))
    }
}
