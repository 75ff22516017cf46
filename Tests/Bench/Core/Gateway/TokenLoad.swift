import FoundationEssentials
import TestSupport

/// Requests with tokens out of a file, by wrk on a core of its own.
struct TokenLoad: Sendable {
    /// How the tokens are used.
    enum Order: String, Sendable {
        /// One after the other, again and again, for the whole time.
        case inTurn = "turn"
        /// Each once; then the load ends.
        case once
    }

    /// Where a request has its token: a header field in Lua.
    enum Place: String, Sendable {
        case header = #"Authorization = "Bearer " .. token"#
        case cookie = #"Cookie = "latchkey-access=" .. token"#
    }

    /// Keep-alive, each with one request at a time.
    var connectionCount = 64
    let folder: String
    /// wrk takes any certificate.
    var isOverTLS = false

    /// The result of a run.
    struct Outcome: Sendable, Equatable {
        let requestCount: Int
        let seconds: Double
        let p99Milliseconds: Double
        /// Answers that were no 2xx, and requests without an answer.
        let failureCount: Int

        /// - Throws: `UnexpectedReply` if there were failures.
        func withoutFailures() throws -> Outcome {
            guard failureCount == 0 else { throw UnexpectedReply(description: "\(failureCount) requests failed") }
            return self
        }
    }

    /// Writes the tokens for later runs.
    func write(_ tokens: [String], as name: String) throws {
        try tokens.joined(separator: "\n").write(toFile: path(name), atomically: true, encoding: .utf8)
    }

    /// Sends for so many seconds, or until the tokens are used up.
    ///
    /// - Throws: `UnexpectedReply` if no answer came.
    func run(
        _ tokens: String, _ order: Order, in place: Place = .header, port: Int, seconds: Int
    ) async throws -> Outcome {
        let file = "\(folder)/load.lua"
        try script(place).write(toFile: file, atomically: true, encoding: .utf8)
        // Over TLS by name: an address is none that can be asked for (RFC 6066 section 3).
        let base = isOverTLS ? "https://\(LoadTLS.serverName):\(port)" : "http://127.0.0.1:\(port)"
        let command = """
            exec setpriv --pdeathsig KILL taskset -c \(GatewayUnderLoad.loadCore) wrk -t1 -c\(connectionCount) \
            -d\(seconds)s --latency -s '\(file)' \(base)\(NginxUpstream.smallPath) -- '\(path(tokens))' \(order.rawValue)
            """
        let outcome = try await Shell.run(command, in: folder)
        guard outcome.isSuccess, let result = Self.parse(outcome.output) else {
            throw UnexpectedReply(description: "wrk: \(outcome.output.suffix(300))")
        }
        return result
    }

    /// Reads the line that the script prints: requests, µs, µs of the 99th per cent, failures.
    static func parse(_ output: String) -> Outcome? {
        guard let line = output.split(separator: "\n").last(where: { $0.hasPrefix("RESULT ") }) else { return nil }
        let numbers = line.split(separator: " ").dropFirst().compactMap { Double($0) }
        guard numbers.count == 4, numbers[0] > 0, let count = Int(exactly: numbers[0]),
            let failureCount = Int(exactly: numbers[3])
        else { return nil }
        return Outcome(
            requestCount: count, seconds: numbers[1] / 1_000_000, p99Milliseconds: numbers[2] / 1000,
            failureCount: failureCount)
    }

    private func path(_ name: String) -> String { folder + "/tokens-" + name }

    /// wrk asks for one request before it starts and, when told to stop, may have sent one on each connection: the load ends
    /// that much earlier, so that no token is sent twice.
    private func script(_ place: Place) -> String {
        """
        local requests, sent, answered = {}, 0, 0
        function init(arguments)
            for token in io.lines(arguments[1]) do
                requests[#requests + 1] = wrk.format("GET", nil, { \(place.rawValue) })
            end
            if arguments[2] == "once" then
                local last = #requests - \(connectionCount) - 1
                function response()
                    answered = answered + 1
                    if answered >= last then wrk.thread:stop() end
                end
            end
        end
        function request()
            sent = sent % #requests + 1
            return requests[sent]
        end
        function done(summary, latency)
            local e = summary.errors
            io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration,
                latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
        end

        """
    }
}
