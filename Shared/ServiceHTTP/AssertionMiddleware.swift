import CallDeadlines
import CoreMetrics
import HTTPTypes
import Hummingbird
import InternalAPI
import Logging
import NIOCore
import ServiceCalls
import ServiceKit

/// Admits only requests with a valid assertion of one of the service's callers, while the caller waits, and adds a proof to
/// every response to them; the following middleware finds their bodies in the context.
struct AssertionMiddleware: RouterMiddleware {
    typealias Context = ServiceRequestContext

    private static let field = HTTPField.Name(AssertionSigner.header)
    private static let answerField = HTTPField.Name(AnswerProof.header)
    private let verifier: AssertionVerifier

    init(verifier: AssertionVerifier) {
        self.verifier = verifier
        Counter.start("auth_internal_refusals_total", ["reason": AssertionRefusal.allCases.map(\.rawValue)])
    }

    func handle(
        _ request: Request, context: ServiceRequestContext,
        next: @concurrent (Request, ServiceRequestContext) async throws -> Response
    ) async throws -> Response {
        let body = try await body(of: request)
        var context = context
        context.body = Array(body.readableBytesView)
        let call: AcceptedCall
        do throws(RefusedCall) { call = try accept(request, body: context.body) } catch {
            return try refuse(error, request, context)
        }
        context.caller = call.caller
        if let name = call.operatorName { context.logger[metadataKey: "operator"] = "\(name.text)" }
        let answer = try await CallDeadline.$current.withValue(call.deadline) { [context] in
            if request.uri.path == ClockCheck.path { return Response(status: .noContent) }
            return try await OperatorName.$current.withValue(call.operatorName) { try await next(request, context) }
        }
        return try await prove(answer, of: call)
    }

    private func body(of request: Request) async throws -> ByteBuffer {
        do {
            return try await request.body.collect(upTo: ServiceLimits.bodyBytesMax)
        } catch is NIOTooManyBytesError {
            throw ServiceProblem(
                .contentTooLarge, code: InvalidRequestOnly.invalidRequest.rawValue, "The body is too large")
        }
    }

    private func accept(_ request: Request, body: [UInt8]) throws(RefusedCall) -> AcceptedCall {
        try verifier.verify(
            Self.field.flatMap { request.headers[$0] },
            of: AssertedRequest(
                method: request.method.rawValue, path: request.uri.string,
                authorization: request.headers[.authorization] ?? "", body: body))
    }

    private func refuse(_ call: RefusedCall, _ request: Request, _ context: ServiceRequestContext) throws -> Response {
        log(call, context.logger)
        let problem = ServiceProblem(CallerRefusal.assertionRefused)
        var response = try problem.response(from: request, context: context)
        if let name = Self.answerField, let proof = call.proof {
            response.headers[name] = String(decoding: proof, as: UTF8.self)
        }
        return response
    }

    private func log(_ call: RefusedCall, _ logger: Logger) {
        Counter(label: "auth_internal_refusals_total", dimensions: [("reason", call.reason.rawValue)]).increment()
        var metadata: Logger.Metadata = ["reason": "\(call.reason.rawValue)"]
        if let caller = call.caller { metadata["caller"] = "\(caller.rawValue)" }
        if let hint = call.reason.hint { metadata["hint"] = "\(hint)" }
        switch call.reason {
        // Every process makes one such call at each replica after a start.
        case .unknownProcess: logger.debug("assertion.refused", metadata: metadata)
        case .ahead, .behind:
            metadata["clock"] = "\(ClockDifference.words(call.aheadMilliseconds)) this process's"
            logger.error("assertion.refused", metadata: metadata)
        default: logger.warning("assertion.refused", metadata: metadata)
        }
    }

    /// Returns the response with its proof, which covers the whole body: so the body is collected first.
    private func prove(_ answer: Response, of call: AcceptedCall) async throws -> Response {
        let gathered = GatheredBody()
        try await answer.body.write(gathered)
        let body = gathered.bytes
        let value = call.proof.value(status: answer.status.code, body: body.readableBytesUInt8Span)
        var headers = answer.headers
        if let name = Self.answerField { headers[name] = String(decoding: value, as: UTF8.self) }
        return Response(status: answer.status, headers: headers, body: .init(byteBuffer: body))
    }
}

/// Collects a response's body.
private final class GatheredBody: ResponseBodyWriter {
    private(set) var bytes = ByteBuffer()

    func write(_ buffer: ByteBuffer) async throws { bytes.writeImmutableBuffer(buffer) }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
