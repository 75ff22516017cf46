package import InternalAPI

extension RevocationReason {
    /// The number of the reason in the database; never reused.
    package var code: Int {
        switch self {
        case .logout: 0
        case .reuse: 1
        case .deleted: 2
        case .inactive: 3
        case .admin: 4
        case .logoutAll: 5
        case .passwordChange: 6
        case .device: 7
        case .client: 8
        case .rights: 9
        case .displaced: 10
        case .takenOver: 11
        case .replaced: 12
        case .provider: 13
        case .identityChange: 14
        case .reported: 15
        }
    }

    /// Returns the reason of a code. A code of a later version counts as `admin`, which is refused like most.
    package init(code: Int) { self = Self.allCases.first { $0.code == code } ?? .admin }
}
