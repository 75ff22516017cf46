/// A line for an app's log. No token, code, phone number or address is in any of them.
public enum LogLine: Sendable, Equatable, CustomStringConvertible {
    /// A request was answered. `route` is a pattern, without ids.
    case answered(method: String, route: String, status: Int, requestID: String?)
    /// A request got no response.
    case unanswered(method: String, route: String, AuthError)
    /// The store could not be read or written.
    case storeFailed(StoreTrouble)
    /// The base URL is `http` where only `https` is allowed, so nothing is sent.
    case plainHTTPRefused

    public var description: String {
        switch self {
        case .answered(let method, let route, let status, let requestID):
            "\(method) \(route): \(status)" + (requestID.map { ", request \($0)" } ?? "")
        case .unanswered(let method, let route, let error): "\(method) \(route): \(error)"
        case .storeFailed(let trouble): "The session store failed: \(trouble)\(trouble.hint)"
        case .plainHTTPRefused:
            "The base URL is http. Use https; http works in debug builds only, on loopback and private addresses."
        }
    }
}
