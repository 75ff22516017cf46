internal import StrictJSON

/// Something that another service must be told, however often it takes; written in the transaction of its cause.
struct OutboxItem: Sendable, Equatable, Identifiable {
    /// In order of creation.
    let id: Int64
    let message: OutboxMessage
    /// Attempts that failed so far.
    let attempts: Int64
}

/// The content of an outbox row.
struct OutboxMessage: Sendable, Equatable {
    /// Which courier carries it.
    enum Kind: String, Sendable, CaseIterable {
        /// A `RevokeUserRequest` for token-service.
        case revokeUser = "revoke_user"
        /// A `ChangeRightsRequest` for token-service.
        case changeRights = "change_rights"
    }

    let kind: Kind
    /// JSON.
    let payload: String

    init(kind: Kind, payload: String) {
        self.kind = kind
        self.payload = payload
    }

    init(_ kind: Kind, encoding content: some Encodable) throws {
        self.init(kind: kind, payload: String(decoding: try StrictJSON.encode(content), as: UTF8.self))
    }
}
