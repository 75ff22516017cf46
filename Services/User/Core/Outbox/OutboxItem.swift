import StrictJSON

/// Something that another service must be told, however often it takes; written in the transaction of its cause.
package struct OutboxItem: Sendable, Equatable, Identifiable {
    /// In order of creation.
    package let id: Int64
    /// Whom it is about.
    package let user: UserID
    package let message: OutboxMessage
    /// Attempts that failed so far.
    package let attempts: Int64
    /// Unix time in seconds.
    package let createdAt: Int64

    package init(id: Int64, user: UserID, message: OutboxMessage, attempts: Int64, createdAt: Int64) {
        self.id = id
        self.user = user
        self.message = message
        self.attempts = attempts
        self.createdAt = createdAt
    }
}

/// The content of an outbox row.
package struct OutboxMessage: Sendable, Equatable {
    /// The receivers; each has its own worker. `mail` is otp-service too, apart because a mail provider may be away for
    /// hours.
    package enum Lane: String, Sendable, CaseIterable { case token, otp, mail }

    /// What it says, and to whom.
    package enum Kind: String, Sendable, CaseIterable {
        /// A `RevokeUserRequest` for token-service.
        case revokeUser = "revoke_user"
        /// A `ChangeRightsRequest` for token-service.
        case changeRights = "change_rights"
        /// A `RemoveUserRequest` for token-service.
        case removeUser = "remove_user"
        /// A `ForgetNetworksRequest` for otp-service; sealed, since it names the number.
        case forgetNetworks = "forget_networks"
        /// A `MailNotice` for otp-service; sealed, since it names the address.
        case notice

        /// Whether the user whom it is about may be gone when it is delivered.
        package var isAboutRemoved: Bool {
            switch self {
            case .revokeUser, .changeRights: false
            case .removeUser, .forgetNetworks, .notice: true
            }
        }

        package var lane: Lane {
            switch self {
            case .revokeUser, .changeRights, .removeUser: .token
            case .forgetNetworks: .otp
            case .notice: .mail
            }
        }
    }

    package let kind: Kind
    /// JSON, or what `OutboxSeal` made of it.
    package let payload: String
    /// Its place in the lane; only mails have one, and only where they are written.
    package let place: OutboxPlace

    package init(kind: Kind, payload: String, place: OutboxPlace = OutboxPlace()) {
        self.kind = kind
        self.payload = payload
        self.place = place
    }

    init(_ kind: Kind, encoding content: some Encodable) throws {
        self.init(kind: kind, payload: String(decoding: try StrictJSON.encode(content), as: UTF8.self))
    }
}
