/// Shows a user his own profile.
struct ReadProfile: Sendable {
    let store: any UserStore
    let userIDPrefix: String
    let attributes: AttributeRules

    func callAsFunction(_ caller: SignedInUser) async throws -> ProfileResult {
        ProfileResult(try await store.user(caller.id), idPrefix: userIDPrefix, attributes: attributes)
    }
}
