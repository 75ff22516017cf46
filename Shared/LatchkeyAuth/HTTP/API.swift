import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Requests to the server's own API.
struct API: Sendable {
    /// The time that a request may take in all. The server's rules about repeated requests rely on it.
    static let limit: Duration = .seconds(20)
    /// The value of `Latchkey-Client`, by which the server counts library versions.
    static let client = "swift/1.0.0-beta.1"
    /// Responses of the API are a few kilobytes; anything longer is not Latchkey's.
    private static let bytesMax = 1 << 20

    let baseURL: BaseURL
    let transport: any Transport
    let clock: any DeviceClock
    let log: @Sendable (LogLine) -> Void

    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case patch = "PATCH"
        case delete = "DELETE"
    }

    /// A request to the API.
    struct Call: Sendable {
        let method: Method
        let path: String
        /// The path as it is logged, without ids; `nil` if the path has none.
        var route: String?
        var body: [String: JSONValue?]?
        var idempotencyKey: String?
        var bearer: String?
        var headers: [String: String] = [:]
        var limit = API.limit
    }

    /// Sends a request and returns the response, whatever its status.
    func send(_ call: Call) async throws(AuthError) -> Reply {
        let route = call.route ?? call.path
        let method = call.method.rawValue
        do throws(AuthError) {
            let (data, response) = try await limited(try request(call), call.limit)
            guard data.count <= Self.bytesMax else { throw .notLatchkey }
            let reply = Reply(data, response)
            log(.answered(method: method, route: route, status: reply.status, requestID: reply.requestID))
            return reply
        } catch {
            log(.unanswered(method: method, route: route, error))
            throw error
        }
    }

    /// Sends a request by which a user signs in, or begins to, and returns the JSON of a good response. Anything else is an
    /// error.
    @discardableResult
    func json(_ call: Call) async throws(AuthError) -> JSONValue {
        try await send(call).success(orMissing: .methodNotOffered)
    }

    private func request(_ call: Call) throws(AuthError) -> URLRequest {
        guard let url = baseURL.url(call.path) else {
            log(.plainHTTPRefused)
            throw .untrustedServer
        }
        var request = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.limit.inSeconds)
        request.httpMethod = call.method.rawValue
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue(Self.client, forHTTPHeaderField: "Latchkey-Client")
        if let key = call.idempotencyKey { request.setValue(key, forHTTPHeaderField: "Idempotency-Key") }
        if let bearer = call.bearer { request.setValue("Bearer \(bearer)", forHTTPHeaderField: "Authorization") }
        for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
        if let body = call.body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = JSONText.encode(.object(body.compactMapValues { $0 }))
        }
        return request
    }

    /// Sends a request, and stops waiting at the limit.
    private func limited(
        _ request: URLRequest, _ limit: Duration
    ) async throws(AuthError) -> (Data, HTTPURLResponse) {
        do {
            return try await within(limit, clock) { try await transport.send(request) }
        } catch {
            throw AuthError(transport: error)
        }
    }
}
