/// The outbox for the operator's eyes and hands; what he does to a row is written with its audit record.
package protocol OutboxSupportStore: Sendable {
    /// Rows behind `last`, in their order.
    func listed(behind last: OutboxItem.ID?, limit: Int) async throws -> [OutboxListing]

    /// Has a row tried at once, dead or not.
    ///
    /// - Returns: whether there is one.
    func retry(_ item: OutboxItem.ID, origin: RequestOrigin, now: Int64) async throws -> Bool

    /// Forgets a row of the lane, delivered or not.
    ///
    /// - Returns: whether there was one.
    func drop(
        _ item: OutboxItem.ID, in lane: OutboxMessage.Lane, origin: RequestOrigin, now: Int64
    ) async throws -> Bool
}

/// A row without what it says.
package struct OutboxListing: Sendable, Equatable {
    package let id: OutboxItem.ID
    /// As they stand in the file: a newer version may have written others than ours.
    package let lane, kind: String
    package let user: UserID
    package let attempts: Int64
    /// Unix seconds; nil: it is dead.
    package let nextAttemptAt: Int64?
    package let createdAt: Int64

    package init(
        id: OutboxItem.ID, lane: String, kind: String, user: UserID, attempts: Int64, nextAttemptAt: Int64?,
        createdAt: Int64
    ) {
        (self.id, self.lane, self.kind, self.user) = (id, lane, kind, user)
        (self.attempts, self.nextAttemptAt, self.createdAt) = (attempts, nextAttemptAt, createdAt)
    }
}
