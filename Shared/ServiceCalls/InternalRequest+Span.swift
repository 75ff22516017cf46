package import InternalAPI
import Spans
import Tracing

extension InternalRequest {
    /// Makes the call in a span of the current task's trace. Paths of operations contain no ids.
    package func withSpan(
        of service: String, _ call: () async throws(ServiceUnavailable) -> InternalResponse
    ) async throws(ServiceUnavailable) -> InternalResponse {
        try await withClientSpan("\(method.rawValue) \(path.prefix { $0 != "?" })") {
            (span) throws(ServiceUnavailable) in
            span?.attributes[.peer] = service
            span?.attributes[.method] = method.rawValue
            let response = try await call()
            span?.attributes[.status] = Int64(response.status)
            return response
        }
    }
}
