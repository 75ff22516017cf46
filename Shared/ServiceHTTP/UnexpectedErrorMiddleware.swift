import HTTPTypes
import Hummingbird
import InternalAPI
import Logging

/// Turns every error into a problem body: one with a response of its own into that, an unavailable service into 503, all
/// others into a plain 500 with the cause only in the log (security guide R-93).
struct UnexpectedErrorMiddleware<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            return try problem(for: error, context).response(from: request, context: context)
        }
    }

    private func problem(for error: any Error, _ context: Context) -> ServiceProblem {
        switch error {
        case let problem as ServiceProblem:
            return problem
        case let unavailable as ServiceUnavailable:
            context.logger.warning("service.unavailable", metadata: ["cause": "\(unavailable)"])
            return .unavailable("A service")
        case let error as HTTPError:
            return ServiceProblem(error.status, code: "http_\(error.status.code)", error.status.reasonPhrase)
        default:
            context.logger.error("request.failed", metadata: ["cause": "\(error)"])
            return ServiceProblem(.internalServerError, code: "internal_error", "Something went wrong")
        }
    }
}
