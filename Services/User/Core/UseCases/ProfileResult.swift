import InternalAPI

/// What a request for one's own profile came to.
enum ProfileResult: Sendable, Equatable {
    case profile(UserDetails)
    case inactive
    /// There is no such user, or the account is given up: its tokens are good for nothing.
    case unknown

    /// What `user` may see of himself.
    init(_ user: User?, idPrefix: String, attributes: AttributeRules) {
        switch user {
        case .some(let user) where !user.isActive: self = .inactive
        case .some(let user) where user.deletion == nil:
            self = .profile(user.details(idPrefix: idPrefix, attributes: attributes))
        default: self = .unknown
        }
    }
}
