import HTTPTypes
import Hummingbird
package import InternalAPI
import StrictJSON

/// The operations that a service offers, each with its handler.
package struct ServiceRoutes {
    private typealias Handler = @Sendable (Request, ServiceRequestContext) async throws -> Response

    private var rows: [(method: HTTPRequest.Method, path: String, handler: Handler)] = []
    /// All processes that may call any of the operations.
    package private(set) var callers: Set<Caller> = []

    package init() {}

    /// Adds an operation: `perform` gets only requests of its callers that decode.
    package mutating func on<Body, Answer, Refusal>(
        _ operation: InternalOperation<Body, Answer, Refusal>,
        perform: @escaping @Sendable (Body, ServiceCall) async throws -> OperationOutcome<Answer, Refusal>
    ) {
        callers.formUnion(operation.callers)
        rows.append(
            (
                Self.method(operation.method), operation.path,
                { request, context in
                    guard let caller = context.caller, operation.callers.contains(caller) else {
                        throw ServiceProblem(CallerRefusal.assertionRefused, "The caller may not use this route")
                    }
                    let call = ServiceCall(of: caller, request, context, hasBearer: operation.isOnBehalfOfBearer)
                    switch try await perform(try Self.decode(context.body, as: operation.body), call) {
                    case .answer(let answer): return try jsonResponse(answer)
                    case .refused(let refusal, let title): throw ServiceProblem(refusal, title)
                    }
                }
            ))
    }

    /// Adds the operations to `router`, after its middleware.
    func add(to router: Router<ServiceRequestContext>) {
        for row in rows { router.on(RouterPath(row.path), method: row.method, use: row.handler) }
    }

    private static func method(_ method: InternalRequest.Method) -> HTTPRequest.Method {
        switch method {
        case .get: .get
        case .post: .post
        case .patch: .patch
        case .delete: .delete
        }
    }

    /// Reads a request strictly (security guide R-99).
    private static func decode<Body: Decodable, Refusal: InternalRefusal>(
        _ bytes: [UInt8], as form: RequestForm<Body, Refusal>
    ) throws(ServiceProblem) -> Body {
        switch form {
        case .absent(let request): return request
        case .json(let refusal):
            do {
                return try StrictJSON.decode(
                    Body.self, from: bytes, limits: .init(bytesMax: ServiceLimits.bodyBytesMax, depthMax: 16))
            } catch { throw ServiceProblem(refusal, "The body does not match the operation's request") }
        }
    }
}
