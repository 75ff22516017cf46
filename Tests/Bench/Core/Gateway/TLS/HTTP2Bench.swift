import TestSupport

/// The cost of a request over HTTP/2 at the gateway, HAProxy and Envoy, in turn: h2load's requests with one token, eight streams on
/// each of eight connections.
struct HTTP2Bench {
    private static let (connectionCount, streamCount) = (8, 8)
    private static let bounds: [String: [String: Figure.Bound]] = ["cpu": ["envoy": .atMost(1.2)]]

    let rounds: Int
    /// The duration of one edge's load in one round.
    let seconds: Int
    let folder: String

    /// - Throws: `UnexpectedReply` if an edge does not speak HTTP/2, or a request fails.
    func run(_ edges: [EdgeUnderTest], _ token: String) async throws -> [Figure] {
        for edge in edges { _ = try await sample(edge, token, seconds: 1) }
        var measured = EdgeRounds()
        for _ in 0..<rounds {
            for edge in edges { measured.add(try await sample(edge, token, seconds: seconds), of: edge.name) }
        }
        return measured.figures(Self.bounds) + [measured.peerCount]
    }

    private func sample(_ edge: EdgeUnderTest, _ token: String, seconds: Int) async throws -> [Figure] {
        let before = try ProcessTimes(of: edge.process)
        let command = """
            setpriv --pdeathsig KILL taskset -c \(GatewayUnderLoad.loadCore) h2load --npn-list=h2 -t 1 \
            -c \(Self.connectionCount) -m \(Self.streamCount) -D \(seconds) --connect-to=127.0.0.1:\(edge.port) \
            -H 'Authorization: Bearer \(token)' https://\(LoadTLS.serverName):\(edge.port)\(NginxUpstream.smallPath)
            """
        let outcome = try await Shell.run(command, in: folder)
        let used = try ProcessTimes(of: edge.process).seconds - before.seconds
        guard let count = Self.succeeded(in: outcome.output), outcome.isSuccess else {
            throw UnexpectedReply(description: "\(edge.name) over HTTP/2: \(outcome.output.suffix(600))")
        }
        return [
            Figure("cpu", used * 1_000_000 / count, .microseconds),
            Figure("rate", count / Double(seconds), .perSecond),
        ]
    }

    /// Returns the number of requests that succeeded; `nil` if one failed, or none was over HTTP/2.
    static func succeeded(in output: String) -> Double? {
        let lines = output.split(separator: "\n")
        guard lines.contains("Application protocol: h2"),
            let requests = lines.first(where: { $0.hasPrefix("requests: ") }),
            let statuses = lines.first(where: { $0.hasPrefix("status codes: ") }),
            requests.contains(" 0 failed, 0 errored, 0 timeout"), statuses.contains(" 0 3xx, 0 4xx, 0 5xx")
        else { return nil }
        let words = requests.split(separator: " ")
        guard let place = words.firstIndex(of: "succeeded,"), place > 0 else { return nil }
        return Double(words[place - 1]).flatMap { $0 > 0 ? $0 : nil }
    }
}
