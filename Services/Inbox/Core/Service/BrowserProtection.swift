import HTTPTypes
import Hummingbird
import InternalAPI
import ServiceHTTP

/// Keeps pages of other origins from reading the inbox, and the inbox's own page from loading anything else.
struct BrowserProtection<Context: RequestContext>: RouterMiddleware {
    private static var headers: HTTPFields {
        var headers: HTTPFields = [
            .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            .contentSecurityPolicy:
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ]
        if let referrerPolicy = HTTPField.Name("Referrer-Policy") { headers[referrerPolicy] = "no-referrer" }
        return headers
    }

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard LocalName.isLocal(authority: request.head.authority ?? "") else {
            throw ServiceProblem(
                .misdirectedRequest, code: InvalidRequestOnly.invalidRequest.rawValue,
                "Open the inbox as localhost or by a loopback address; other host names are refused")
        }
        var response = try await next(request, context)
        for field in Self.headers where response.headers[field.name] == nil {
            response.headers[field.name] = field.value
        }
        return response
    }
}
