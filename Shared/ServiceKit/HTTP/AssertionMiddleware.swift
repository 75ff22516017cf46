internal import CoreMetrics
internal import HTTPTypes
internal import Hummingbird
internal import InternalAPI
internal import Logging
internal import NIOCore

/// Lets only requests through that one of the service's callers asserted; their bodies are in the context from there on.
struct AssertionMiddleware: RouterMiddleware {
    typealias Context = ServiceRequestContext

    private static let field = HTTPField.Name(AssertionSigner.header)
    let verifier: AssertionVerifier

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: @concurrent (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        let body = try await body(of: request)
        var context = context
        context.body = Array(body.readableBytesView)
        context.caller = try caller(of: request, body: context.body, context: context)
        return try await next(request, context)
    }

    private func body(of request: Request) async throws -> ByteBuffer {
        do {
            return try await request.body.collect(upTo: ServiceLimits.bodyBytesMax)
        } catch is NIOTooManyBytesError {
            throw ServiceProblem(.contentTooLarge, code: InternalCode.invalidRequest, "The body is too large")
        }
    }

    private func caller(
        of request: Request, body: [UInt8], context: ServiceRequestContext
    ) throws -> Caller {
        do throws(AssertionRefusal) {
            let header = Self.field.flatMap { request.headers[$0] }
            return try verifier.verify(
                header, method: request.method.rawValue, path: request.uri.string, body: body)
        } catch {
            Counter(label: "auth_internal_refusals_total", dimensions: [("reason", error.rawValue)]).increment()
            context.logger.warning("assertion.refused", metadata: ["reason": "\(error.rawValue)"])
            throw ServiceProblem(
                .unauthorized, code: InternalCode.assertionRefused, "The request is not from one of us")
        }
    }
}
