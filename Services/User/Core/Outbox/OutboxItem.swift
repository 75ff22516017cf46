import StrictJSON

/// A row of the outbox: a message that is retried until another service confirms it. It is written in the transaction of the
/// change that causes it.
package struct OutboxItem: Sendable, Equatable, Identifiable {
    /// The row's id, in order of creation.
    package let id: Int64
    /// The user that the message concerns.
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
    /// The receivers, of which each has its own worker. `mail` is otp-service too, but separate because a mail provider may be
    /// unavailable for hours. `apple` is Apple's server.
    package enum Lane: String, Sendable, CaseIterable {
        case token, otp, mail, apple

        /// Whether a provider outside the deployment receives the messages. They are sent in the order of their places.
        package var isProviders: Bool { self == .mail || self == .apple }
    }

    /// The kind of message, which determines the receiver.
    package enum Kind: String, Sendable, CaseIterable {
        /// A `RevokeUserRequest` for token-service.
        case revokeUser = "revoke_user"
        /// A `ChangeRightsRequest` for token-service.
        case changeRights = "change_rights"
        /// A `RemoveUserRequest` for token-service.
        case removeUser = "remove_user"
        /// A `ForgetNetworksRequest` for otp-service. It is sealed, since it contains the phone number and the email address.
        case forgetNetworks = "forget_networks"
        /// A `MailNotice` for otp-service. It is sealed, since it contains the email address.
        case notice
        /// A `CodeToExchange` for Apple. It is sealed, and so is the next.
        case exchangeCode = "exchange_code"
        /// A `TokenToRevoke` for Apple.
        case revokeToken = "revoke_token"

        /// Whether the user may be removed already when the message is delivered.
        package var isAboutRemoved: Bool {
            switch self {
            case .revokeUser, .changeRights: false
            case .removeUser, .forgetNetworks, .notice, .exchangeCode, .revokeToken: true
            }
        }

        package var lane: Lane {
            switch self {
            case .revokeUser, .changeRights, .removeUser: .token
            case .forgetNetworks: .otp
            case .notice: .mail
            case .exchangeCode, .revokeToken: .apple
            }
        }
    }

    package let kind: Kind
    /// The content as JSON, or as sealed by `OutboxSeal`.
    package let payload: String
    /// The place in the lane. Only new messages to providers have one; it is not read back.
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
