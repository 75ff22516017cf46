import InternalAPI

/// Shows users their own profiles.
struct ReadProfile: Sendable {
    let queries: any UserQueries
    let userIDPrefix: String
    let attributes: AttributeRules

    func callAsFunction(_ caller: SignedInUser) async throws -> OperationOutcome<UserDetails, BearerRefusal> {
        .ownProfile(of: try await queries.bearer(caller.id), idPrefix: userIDPrefix, attributes: attributes)
    }
}

extension OperationOutcome where Answer == UserDetails, Refusal: BearersRefusal {
    /// The profile of a user who may see it, with their metadata. The tokens of an account that is gone or scheduled for deletion are invalid.
    static func ownProfile(of user: User?, idPrefix: String, attributes: AttributeRules) -> Self {
        guard let user else { return .refused(.invalidToken) }
        guard user.isActive else { return .refused(.accountInactive) }
        guard user.deletion == nil else { return .refused(.invalidToken) }
        var details = user.details(idPrefix: idPrefix, attributes: attributes)
        details.metadata = user.metadata.orNil
        return .answer(details)
    }
}
