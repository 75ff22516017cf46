internal import StrictJSON

/// Something that another service must be told, however often it takes; written in the transaction of its cause.
struct OutboxItem: Sendable, Equatable, Identifiable {
    /// In order of creation.
    let id: Int64
    /// Whom it is about.
    let user: UserID
    let message: OutboxMessage
    /// Attempts that failed so far.
    let attempts: Int64
}

/// The content of an outbox row.
struct OutboxMessage: Sendable, Equatable {
    /// The receivers; each has its own worker.
    enum Lane: String, Sendable, CaseIterable { case token, otp }

    /// What it says, and to whom.
    enum Kind: String, Sendable, CaseIterable {
        /// A `RevokeUserRequest` for token-service.
        case revokeUser = "revoke_user"
        /// A `ChangeRightsRequest` for token-service.
        case changeRights = "change_rights"
        /// A `RemoveUserRequest` for token-service.
        case removeUser = "remove_user"
        /// A `ForgetNetworksRequest` for otp-service; sealed, since it names the number.
        case forgetNetworks = "forget_networks"

        /// Whether the user whom it is about is gone when it is delivered.
        var isAboutRemoved: Bool {
            switch self {
            case .revokeUser, .changeRights: false
            case .removeUser, .forgetNetworks: true
            }
        }

        var lane: Lane {
            switch self {
            case .revokeUser, .changeRights, .removeUser: .token
            case .forgetNetworks: .otp
            }
        }
    }

    let kind: Kind
    /// JSON, or what `OutboxSeal` made of it.
    let payload: String

    init(kind: Kind, payload: String) {
        self.kind = kind
        self.payload = payload
    }

    init(_ kind: Kind, encoding content: some Encodable) throws {
        self.init(kind: kind, payload: String(decoding: try StrictJSON.encode(content), as: UTF8.self))
    }
}
