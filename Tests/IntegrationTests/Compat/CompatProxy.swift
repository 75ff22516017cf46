import FoundationEssentials
import Synchronization
import TestSupport

/// A proxy between a document's client and the gateway, which spoils responses or blocks calls, and counts them.
///
/// `/api/chargers`, the app's own API in voltyks' document, is the sample API's greeting. Clients ask for what is no part of
/// any document: `POST /compat/clear` ends the trouble, `GET /compat/calls` has the number of calls by path.
final class CompatProxy: Sendable {
    /// The treatment of one path's calls until the client has the path cleared.
    enum Trouble: Sendable {
        /// Another answer in the gateway's place.
        case answer(HTTPAnswer)
        /// The connection ends before the gateway hears of the call, or after it has answered.
        case cutBefore, cutAfter
        /// The gateway hears of the call half a second later.
        case late
    }

    private struct Cut: Error {}

    private struct State {
        var trouble: Trouble?
        var counts: [String: Int] = [:]
    }

    private let gateway: TestHTTPClient
    private let spoiling: AnswerSpoiling?
    private let troubledPath: String
    private let state: Mutex<State>

    init(_ gateway: TestHTTPClient, spoiling: AnswerSpoiling?, trouble: Trouble?, at path: String) {
        self.gateway = gateway
        self.spoiling = spoiling
        troubledPath = path.lowercased()
        state = Mutex(State(trouble: trouble))
    }

    /// The answer to a call, the gateway's own for want of another.
    func answer(
        _ call: AnswerSwapper.Call, _ ask: @Sendable () async throws -> HTTPAnswer
    ) async throws -> HTTPAnswer {
        let path = call.plainPath
        switch path {
        case "/compat/clear":
            state.withLock { $0.trouble = nil }
            return HTTPAnswer(status: 200, headers: [:], body: [])
        case "/compat/calls":
            let counts = try JSONEncoder().encode(state.withLock { $0.counts })
            return HTTPAnswer(status: 200, headers: ["content-type": "application/json"], body: Array(counts))
        default: break
        }
        let trouble = state.withLock { state in
            state.counts[path, default: 0] += 1
            return path == troubledPath ? state.trouble : nil
        }
        let answer = try await Self.answer(trouble) {
            guard path == "/api/chargers" else { return try await ask() }
            return try await gateway.send("GET", "/api/hello", headers: call.headers)
        }
        return try spoiling?.spoiled(answer, to: path) ?? answer
    }

    private static func answer(
        _ trouble: Trouble?, _ ask: () async throws -> HTTPAnswer
    ) async throws -> HTTPAnswer {
        switch trouble {
        case .answer(let answer): return answer
        case .cutBefore: throw Cut()
        case .cutAfter:
            _ = try await ask()
            throw Cut()
        case .late:
            try await Task.sleep(for: .milliseconds(500))
            return try await ask()
        case nil: return try await ask()
        }
    }
}

/// Runs `body` with a client of the gateway that reaches it through a proxy.
func withCompatProxy<Value>(
    before gateway: TestHTTPClient, spoiling: AnswerSpoiling? = nil, _ trouble: CompatProxy.Trouble? = nil,
    at path: String = "", _ body: (TestHTTPClient) async throws -> Value
) async throws -> Value {
    try await withAnswerSwapper(before: gateway) { swapper in
        let proxy = CompatProxy(gateway, spoiling: spoiling, trouble: trouble, at: path)
        swapper.set { call, ask in try await proxy.answer(call, ask) }
        return try await body(TestHTTPClient(base: swapper.url))
    }
}

extension AnswerSwapper.Call {
    /// In lower case and without a query.
    fileprivate var plainPath: String { path.prefix { $0 != "?" }.lowercased() }
}
