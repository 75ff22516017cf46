import EdgeHTTP
import NIOCore
import Policies

/// The responses to pages of other origins (Fetch standard, CORS protocol), if the policy allows any origin.
struct CrossOrigin: Sendable {
    private let origins: Set<[UInt8]>
    /// The `Vary` line. Every response depends on the request's origin, including one that allows no origin.
    private let vary = Array("Vary: Origin\r\n".utf8)
    private let answerLines: String
    private let preflightLines: [(String, String)]

    /// - Parameters:
    ///   - exposing: headers that pages may read besides those of the policy.
    ///   - allowing: headers that pages may send besides those of the policy.
    init(_ policy: CrossOriginPolicy, exposing: [String] = [], allowing: [String] = []) {
        origins = Set(policy.origins.map { Array($0.utf8) })
        let credentials = policy.credentials ? [("Access-Control-Allow-Credentials", "true")] : []
        let exposed = Self.joined(policy.exposeHeaders, exposing)
        answerLines = (credentials + (exposed.isEmpty ? [] : [("Access-Control-Expose-Headers", exposed)]))
            .map { "\($0.0): \($0.1)\r\n" }.joined()
        preflightLines =
            credentials + [
                ("Access-Control-Allow-Methods", HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ")),
                ("Access-Control-Allow-Headers", Self.joined(policy.allowHeaders, allowing)),
                ("Access-Control-Max-Age", "\(policy.maxAgeSeconds)"),
            ]
    }

    /// Returns a list of headers with those of another list that it lacks, since names ignore case.
    private static func joined(_ names: [String], _ more: [String]) -> String {
        let known = Set(names.map { $0.lowercased() })
        return (names + more.filter { !known.contains($0.lowercased()) }).joined(separator: ", ")
    }

    /// Returns the response to a preflight request, which a browser sends before the real one, or `nil` for every other request.
    ///
    /// An origin that is not allowed gets the same response without the permission, which is how browsers learn that it is refused.
    func preflight(_ head: RequestHead) -> Reply? {
        guard head.method == .options, head.text("access-control-request-method") != nil,
            let origin = head.text("origin")
        else { return nil }
        var headers = [("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers")]
        if origins.contains(Array(origin.utf8)) {
            headers += [("Access-Control-Allow-Origin", origin)] + preflightLines
        }
        return Reply(status: 204, headers: headers, body: [])
    }

    /// Returns the header lines of every response to the request.
    func lines(for head: RequestHead) -> [UInt8] { lines(origin: head.text("origin")) }

    /// Returns the header lines of every response to a page of `origin`, which is `nil` if the request states none.
    func lines(origin: String?) -> [UInt8] {
        guard let origin, origins.contains(Array(origin.utf8)) else { return vary }
        return Array("Access-Control-Allow-Origin: \(origin)\r\n\(answerLines)".utf8) + vary
    }
}
