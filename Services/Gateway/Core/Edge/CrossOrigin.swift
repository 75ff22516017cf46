import EdgeHTTP
import NIOCore
import Policies

/// What pages of other origins are told (Fetch standard, CORS protocol), once a policy says who may call.
struct CrossOrigin: Sendable {
    private let origins: Set<[UInt8]>
    /// Every answer differs by who asks, also one that names nobody.
    private let vary = Array("Vary: Origin\r\n".utf8)
    private let answerLines: String
    private let preflightLines: [(String, String)]

    init(_ policy: CrossOriginPolicy) {
        origins = Set(policy.origins.map { Array($0.utf8) })
        let credentials = policy.credentials ? [("Access-Control-Allow-Credentials", "true")] : []
        let exposed = policy.exposeHeaders.joined(separator: ", ")
        answerLines = (credentials + (exposed.isEmpty ? [] : [("Access-Control-Expose-Headers", exposed)]))
            .map { "\($0.0): \($0.1)\r\n" }.joined()
        preflightLines =
            credentials + [
                ("Access-Control-Allow-Methods", HTTPMethod.allCases.map(\.rawValue).joined(separator: ", ")),
                ("Access-Control-Allow-Headers", policy.allowHeaders.joined(separator: ", ")),
                ("Access-Control-Max-Age", "\(policy.maxAgeSeconds)"),
            ]
    }

    /// The answer to a browser that asks before it sends the real request; nil for every other request.
    ///
    /// A foreign origin gets the same answer without leave, which is how browsers are told no.
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

    /// The lines that go with every answer to the request.
    func lines(for head: RequestHead) -> [UInt8] { lines(origin: head.text("origin")) }

    /// The lines that go with every answer to a page of `origin`; `nil` if the request states none.
    func lines(origin: String?) -> [UInt8] {
        guard let origin, origins.contains(Array(origin.utf8)) else { return vary }
        return Array("Access-Control-Allow-Origin: \(origin)\r\n\(answerLines)".utf8) + vary
    }
}
