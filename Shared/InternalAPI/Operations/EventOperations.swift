/// Operations on the events for the app's back end, which user-service and token-service both offer to the operator.
package enum EventOperations {
    package static let replay = InternalOperation<ReplayEventsRequest, ReplayedEvents, InvalidRequestOnly>(
        .post, "/internal/control/events/replay", from: [.control], timeLimit: TimeLimit.ofOperators)
}
