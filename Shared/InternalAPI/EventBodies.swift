/// Has the events since a time posted again.
package struct ReplayEventsRequest: Codable, Sendable, Equatable {
    /// Unix time in seconds.
    package var since: Int64
    /// The `next` of the response before, so that a replay of many users ends in no call's time limit.
    package var after: String?

    package init(since: Int64, after: String? = nil) { (self.since, self.after) = (since, after) }
}

/// The number of events that are posted again.
package struct ReplayedEvents: Codable, Sendable, Equatable {
    package var count: Int
    /// Where the next call goes on; `nil` after the last users.
    package var next: String?

    package init(count: Int, next: String? = nil) { (self.count, self.next) = (count, next) }
}
