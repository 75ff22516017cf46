import ServiceCalls
import Synchronization

@testable import GatewayCore

/// A directory that answers as RFC 8555 requires, apart from what a test changes.
final class TrialDirectory: ProviderExchange {
    static let url = "https://ca.example/dir"
    static let token = "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA"

    /// Changes an answer: the last part of the request's path, how often it was asked for before, and the right answer.
    typealias Change = @Sendable (String, Int, inout ProviderAnswer) throws -> Void

    private struct State {
        var asked: [String: Int] = [:]
        var nonces = 0
        var bodies: [(path: String, body: [UInt8])] = []
    }

    private let state = Mutex(State())
    private let change: Change

    init(_ change: @escaping Change = { _, _, _ in }) { self.change = change }

    /// How often the last part of a path was asked for.
    func count(_ path: String) -> Int { state.withLock { $0.asked[path] ?? 0 } }
    var total: Int { state.withLock { $0.asked.values.reduce(0, +) } }
    /// The bodies that were sent to a path, in order.
    func bodies(_ path: String) -> [[UInt8]] { state.withLock { $0.bodies.filter { $0.path == path }.map(\.body) } }

    func send(_ request: ProviderRequest, within limit: Duration) async throws -> ProviderAnswer {
        let path = String(request.url.split(separator: "/").last ?? "")
        let (earlier, nonce) = state.withLock { state in
            state.nonces += 1
            state.bodies.append((path, request.body))
            defer { state.asked[path, default: 0] += 1 }
            return (state.asked[path] ?? 0, state.nonces)
        }
        var answer = Self.answer(path, earlier)
        answer.headers["replay-nonce"] = "nonce\(nonce)"
        try change(path, earlier, &answer)
        return answer
    }

    private static func answer(_ path: String, _ earlier: Int) -> ProviderAnswer {
        func json(_ text: String, status: Int = 200, location: String? = nil) -> ProviderAnswer {
            var headers = ["content-type": "application/json; charset=utf-8"]
            headers["location"] = location
            return ProviderAnswer(status: status, headers: headers, body: Array(text.utf8))
        }
        switch path {
        case "dir":
            return json(
                """
                {"newNonce":"https://ca.example/nonce","newAccount":"https://ca.example/account",
                "newOrder":"https://ca.example/order","meta":{"termsOfService":"data:,x"}}
                """)
        case "nonce": return ProviderAnswer(status: 204)
        case "account": return json("{\"status\":\"valid\"}", status: 201, location: "https://ca.example/a/1")
        case "order": return json(order("pending"), status: 201, location: "https://ca.example/o/7")
        case "7": return json(order(["ready", "processing", "valid"][min(earlier, 2)]))
        case "authorization": return json(authorization())
        case "challenge": return json("{}")
        case "finalize": return json(order("processing"))
        case "certificate":
            return ProviderAnswer(
                status: 200, headers: ["content-type": "application/pem-certificate-chain"], body: Array("PEM".utf8))
        default: return ProviderAnswer(status: 404)
        }
    }

    static func order(_ status: String) -> String {
        """
        {"status":"\(status)","expires":"2030-01-01T00:00:00Z","authorizations":["https://ca.example/authorization"],
        "finalize":"https://ca.example/finalize"\(status == "valid" ? ",\"certificate\":\"https://ca.example/certificate\"" : "")}
        """
    }

    static func authorization(
        host: String = "auth.example.com", token: String = token, status: String = "pending"
    ) -> String {
        """
        {"identifier":{"type":"dns","value":"\(host)"},"status":"\(status)","challenges":[
        {"type":"dns-01","url":"https://ca.example/dns","status":"pending","token":"x"},
        {"type":"http-01","url":"https://ca.example/challenge","status":"\(status)","token":"\(token)",
        "error":{"type":"urn:ietf:params:acme:error:connection","detail":"no route\\u0007"}}]}
        """
    }
}
