/// Requests the rows that wait to be sent to other services.
package struct OutboxListRequest: Codable, Sendable, Equatable {
    /// The last id of the page before.
    package var cursor: Int64?

    package init(cursor: Int64? = nil) { self.cursor = cursor }
}

/// Rows of the outbox in their order, without their contents.
package struct OutboxPage: Codable, Sendable, Equatable {
    package struct Row: Codable, Sendable, Equatable {
        package var id: Int64
        package var lane: String
        package var kind: String
        package var userID: String
        package var attempts: Int64
        /// Unix time in seconds; `nil` if the row is no longer retried.
        package var nextAttemptAt: Int64?
        package var createdAt: Int64

        package init(
            id: Int64, lane: String, kind: String, userID: String, attempts: Int64, nextAttemptAt: Int64?,
            createdAt: Int64
        ) {
            (self.id, self.lane, self.kind, self.userID) = (id, lane, kind, userID)
            (self.attempts, self.nextAttemptAt, self.createdAt) = (attempts, nextAttemptAt, createdAt)
        }
    }

    package var rows: [Row]
    /// Whether there are more.
    package var isLast: Bool

    package init(rows: [Row], isLast: Bool) {
        self.rows = rows
        self.isLast = isLast
    }
}

/// Identifies one row; answered with `Done`.
package struct OutboxRowRequest: Codable, Sendable, Equatable {
    package var id: Int64

    package init(id: Int64) { self.id = id }
}
