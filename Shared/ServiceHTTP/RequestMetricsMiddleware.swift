import Hummingbird
import ServiceKit

/// Counts and times each request, labelled with its route's template, never its path.
struct RequestMetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    private let timers = RequestTimers<String> { $0 }

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await next(request, context)
            record(request, context, status: response.status.code, since: start)
            return response
        } catch {
            record(request, context, status: (error as? any HTTPResponseError)?.status.code ?? 500, since: start)
            throw error
        }
    }

    private func record(_ request: Request, _ context: Context, status: Int, since start: ContinuousClock.Instant) {
        let elapsed = (ContinuousClock.now - start) / Duration.nanoseconds(1)
        timers.record(
            context.endpointPath ?? "other", method: request.method.rawValue, status: status,
            nanoseconds: Int64(exactly: elapsed.rounded()) ?? 0)
    }
}
