import InternalAPI

/// Shows users their own profiles.
struct ReadProfile: Sendable {
    let queries: any UserQueries
    let userIDPrefix: String
    let attributes: AttributeRules
    /// Whether the profile states when the phone number was last verified: the owners of passkeys need no codes.
    var statesPhone = false

    func callAsFunction(_ caller: SignedInUser) async throws -> OperationOutcome<UserDetails, BearerRefusal> {
        let user = try await queries.bearer(caller.id)
        let profile: OperationOutcome<UserDetails, BearerRefusal> = .ownProfile(
            of: user, idPrefix: userIDPrefix, attributes: attributes)
        guard statesPhone, let phone = user?.phone, case .answer(var details) = profile else { return profile }
        details.phoneVerifiedAt = try await queries.verifiedAt(VerifiedIdentity(kind: .phone, value: phone))
        return .answer(details)
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
