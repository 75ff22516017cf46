import InternalAPI

/// Everything that signs a user in, at one moment. A change of it makes another account than the one that was decided on.
struct IdentityState: Codable, Sendable, Equatable {
    let epoch: Int64?
    let passwordVersion: Int64?
    let identities: [VerifiedIdentity]

    /// - Parameter facts: the facts of the user, with all identities.
    init(_ facts: UserFacts) {
        (epoch, passwordVersion) = (facts.holder?.epoch, facts.password?.version)
        identities = facts.identities.map(\.identity)
    }
}
