/// Shows users their own profiles.
struct ReadProfile: Sendable {
    let queries: any UserQueries
    let userIDPrefix: String
    let attributes: AttributeRules

    func callAsFunction(_ caller: SignedInUser) async throws -> ProfileOutcome {
        ProfileOutcome(try await queries.bearer(caller.id), idPrefix: userIDPrefix, attributes: attributes)
    }
}
