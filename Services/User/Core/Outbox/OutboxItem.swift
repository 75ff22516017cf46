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
    }

    let kind: Kind
    /// JSON.
    let payload: String
}
