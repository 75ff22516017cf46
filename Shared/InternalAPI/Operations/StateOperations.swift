/// Operations with which user-service reads the state of other services for administrators. They are about no person, so the record
/// of reading is user-service's alone.
package enum StateOperations {
    /// Served by token- and otp-service.
    package static let state = InternalOperation<NoBody, ServiceState, NoRefusal>(
        .get, "/internal/state", from: [.user])
    /// Served by token-service.
    package static let series = InternalOperation<SeriesRequest, CountSeries, InvalidRequestOnly>(
        .post, "/internal/state/series", from: [.user])
}
