/// Has the events since a time posted again.
package struct ReplayEventsRequest: Codable, Sendable, Equatable {
    /// Unix time in seconds.
    package var since: Int64

    package init(since: Int64) { self.since = since }
}

/// The number of events that are posted again.
package struct ReplayedEvents: Codable, Sendable, Equatable {
    package var count: Int

    package init(count: Int) { self.count = count }
}
