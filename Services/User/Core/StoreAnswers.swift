internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import SQLiteStore
internal import ServiceKit

/// A handler in which a fault of the store is a 503, with its cause in the log.
func storeAnswering(
    _ handler: @escaping @Sendable (Request, ServiceRequestContext) async throws -> Response
) -> ServiceRoutes.Handler {
    { request, context in
        do {
            return try await handler(request, context)
        } catch let error as SQLiteError {
            context.logger.error("store.failed", metadata: ["cause": "\(error)"])
            throw ServiceProblem.unavailable("The user store")
        }
    }
}

extension Request {
    private static let requestIDField = HTTPField.Name("X-Request-Id")
    private static let requestIDBytesMax = 128

    /// The id that the gateway gave the client's request; nil for one that has no place in a log.
    var requestID: String? {
        guard let id = Self.requestIDField.flatMap({ headers[$0] }), id.utf8.count <= Self.requestIDBytesMax,
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return id
    }
}
