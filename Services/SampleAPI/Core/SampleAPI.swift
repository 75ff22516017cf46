import HTTPTypes
import Hummingbird
import NIOCore
import ServiceHTTP
package import ServiceKit

/// An example of the customer's own API. It trusts the identity that the gateway puts into each request's headers.
package enum SampleAPI {
    package static let name = "sample-api"
    package static let defaultPort = 8090

    /// Runs the process until it is told to stop.
    package static func run() async {
        await runProcess(
            name, "sample-api represents your own API in development: it greets the user that the gateway identifies.",
            defaultPort: defaultPort
        ) { try plan($0) }
    }
    /// The greatest size of a body that is sent back, in bytes.
    private static let echoBytesMax = 1 << 20

    /// Builds the process, which has no settings of its own.
    package static func plan(_ context: ProcessContext) throws -> ProcessPlan {
        ProcessPlan(services: [
            try boundedApplication(router(), address: context.settings.listen, logger: context.logger)
        ])
    }

    /// Returns the routes: `GET /api/hello` greets, `POST /api/echo` sends the body back under its own media type.
    static func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("/api/hello") { request, _ in try jsonResponse(Greeting(request)) }
        router.post("/api/echo") { request, _ in
            let body = try await request.body.collect(upTo: echoBytesMax)
            let type = request.headers[.contentType] ?? "application/octet-stream"
            return Response(status: .ok, headers: [.contentType: type], body: .init(byteBuffer: body))
        }
        return router
    }
}

/// The caller's identity as the gateway states it; a member that it does not state is absent.
struct Greeting: Codable, Sendable, Equatable {
    let message: String
    let userId: String?
    let role: String?
    let sessionId: String?
    let requestId: String?
    /// The back end or job whose token the request has, in place of a user.
    let clientId: String?
    /// The person who acts as the user.
    let actingAdmin: String?
    /// The user's id at the service from which they were imported.
    let legacyId: String?
    /// The signed proof of all this, if the route has one. A real API checks it and shows it to no one.
    let identity: String?

    init(_ request: Request) {
        let header = { (name: String) in HTTPField.Name(name).flatMap { request.headers[$0] } }
        userId = header("X-User-Id")
        role = header("X-User-Role")
        sessionId = header("X-Session-Id")
        requestId = header("X-Request-Id")
        clientId = header("X-Latchkey-Client")
        actingAdmin = header("X-Acting-Admin")
        legacyId = header("X-User-Legacy-Id")
        identity = header("X-Latchkey-Identity")
        message = (userId ?? clientId).map { "Hello, \($0)" } ?? "Hello, guest"
    }
}
