import InternalAPI

/// The outcome of a user's request for their own profile.
enum ProfileOutcome: Sendable, Equatable {
    case profile(UserDetails)
    case inactive
    /// There is no such user, or the account is scheduled for deletion, so that its tokens are invalid.
    case unknown

    /// Creates the outcome that shows a user their profile.
    init(_ user: User?, idPrefix: String, attributes: AttributeRules) {
        switch user {
        case .some(let user) where !user.isActive: self = .inactive
        case .some(let user) where user.deletion == nil:
            self = .profile(user.details(idPrefix: idPrefix, attributes: attributes))
        default: self = .unknown
        }
    }
}
