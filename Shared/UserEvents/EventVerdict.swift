package import OutgoingConnections

/// The outcome of posting an event.
package enum EventVerdict: Sendable, Equatable {
    case delivered
    /// The receiver wants no more events (410).
    case gone
    /// The receiver's response has another status.
    case failed(status: Int)
    /// There was no complete response.
    case unreachable(ConnectionFailure)

    /// Reads the status of a response. A redirect is not followed, so it is a failure.
    init(status: Int) {
        switch status {
        case 200..<300: self = .delivered
        case 410: self = .gone
        default: self = .failed(status: status)
        }
    }

    /// The word for logs and metrics.
    var reason: String {
        switch self {
        case .delivered: "delivered"
        case .gone: "gone"
        case .failed(let status): Self.statusReason(status)
        case .unreachable(let failure): failure.rawValue
        }
    }

    /// All words for events that were not delivered.
    static let failureReasons =
        ["gone"] + ["redirect", "refused", "server_error"] + ConnectionFailure.allCases.map(\.rawValue)

    private static func statusReason(_ status: Int) -> String {
        switch status {
        case ..<400: "redirect"
        case ..<500: "refused"
        default: "server_error"
        }
    }
}

/// The result of an attempt, as the queue stores it.
package struct EventResult: Sendable, Equatable {
    /// The next state of an event.
    package enum Step: Sendable, Equatable {
        /// The receiver has confirmed the event.
        case delivered
        /// The event is not tried any more, and holds back none.
        case givenUp
        /// The event is tried again at a Unix time in seconds, and holds back the later ones of its user until then.
        case retry(at: Int64)
    }

    package let event: QueuedEvent
    package let step: Step

    package init(event: QueuedEvent, step: Step) { (self.event, self.step) = (event, step) }

    /// Decides what follows from an attempt at `now`; `nil` if the event stays as it is, because the hook stops.
    ///
    /// - Parameter mayGiveUp: Whether the clock can be trusted with ages.
    init?(of event: QueuedEvent, _ verdict: EventVerdict, now: Int64, mayGiveUp: Bool) {
        switch verdict {
        case .gone: return nil
        case .delivered: self.init(event: event, step: .delivered)
        case .failed, .unreachable:
            let attempts = event.attempts + 1
            let next = now + EventLimits.backoffSeconds(afterAttempts: attempts)
            let isOver =
                mayGiveUp && attempts >= EventLimits.attemptsMin && next - event.queuedAt >= EventLimits.triedSeconds
            self.init(event: event, step: isOver ? .givenUp : .retry(at: next))
        }
    }
}
