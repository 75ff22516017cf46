import InternalAPI
import Logging
import Policies
import Testing

@testable import EdgeHTTP
@testable import GatewayCore

@Suite struct RouteTableTests {
    private struct Endpoint: NativeEndpoint {
        func reply(to request: EndpointRequest) async throws(ServiceUnavailable) -> Reply {
            Reply(status: 204, headers: [], body: [])
        }
    }

    private let table: RouteTable

    init() throws {
        func native(_ method: HTTPMethod, _ path: StaticString) -> NativeRoute {
            NativeRoute(method: method, pattern: RoutePattern(literal: path), access: .bearer, endpoint: Endpoint())
        }
        let group = UpstreamGroup(
            name: "app", endpoints: [UpstreamEndpoint(host: "127.0.0.1", port: 1)],
            logger: Logger(label: "test"))
        let app = [
            try Self.appRoute("/api/admin/**", methods: ["GET"]), try Self.appRoute("/api/**", methods: nil),
            try Self.appRoute("/users/**", methods: nil),
        ]
        table = RouteTable(
            native: [native(.get, "/users/me"), native(.delete, "/users/me"), native(.delete, "/sessions/*")],
            app: app.map { RouteTable.AppRoute(policy: $0, upstream: group) })
    }

    private static func appRoute(_ path: String, methods: [String]?) throws -> Route {
        var route = Route(pattern: try #require(RoutePattern(path)), upstream: "app", access: .open)
        route.methods = methods
        return route
    }

    private func found(_ method: HTTPMethod, _ path: String) -> String {
        let (label, match) = table.match(method, Array(path.utf8).span)
        return switch match {
        case .native(let route): "native \(route.method.rawValue) \(label.text)"
        case .app: "app \(label.text)"
        case .methodNotAllowed(let allowed): "405 \(allowed.sorted().joined(separator: ",")) \(label.text)"
        case .notFound: "404 \(label.text)"
        }
    }

    @Test(arguments: [
        (HTTPMethod.get, "/users/me", "native GET /users/me"), (.delete, "/users/me", "native DELETE /users/me"),
        (.head, "/users/me", "native GET /users/me"), (.post, "/users/me", "405 DELETE,GET /users/me"),
        (.delete, "/sessions/abc", "native DELETE /sessions/*"), (.delete, "/sessions/", "404 other"),
        (.get, "/users/you", "app /users/**"), (.get, "/api/admin/x", "app /api/admin/**"),
        (.post, "/api/admin/x", "405 GET /api/admin/**"), (.post, "/api/x", "app /api/**"),
        (.get, "/", "404 other"), (.get, "/USERS/me", "404 other"),
    ])
    func `our own API comes first, then the policy's routes in their order`(
        method: HTTPMethod, path: String, expected: String
    ) {
        #expect(found(method, path) == expected)
    }
}
