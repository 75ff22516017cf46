/// Operations on user-service's outbox, for the operator.
package enum OutboxOperations {
    package static let list = InternalOperation<OutboxListRequest, OutboxPage, InvalidRequestOnly>(
        .post, "/internal/control/outbox/list", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let retry = InternalOperation<OutboxRowRequest, Done, UserRefusal>(
        .post, "/internal/control/outbox/retry", from: [.control], timeLimit: TimeLimit.ofOperators)
    package static let drop = InternalOperation<OutboxRowRequest, Done, UserRefusal>(
        .post, "/internal/control/outbox/drop", from: [.control], timeLimit: TimeLimit.ofOperators)
}
