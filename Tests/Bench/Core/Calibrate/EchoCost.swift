import Glibc
import Subprocess
import TestSupport

/// The cost of one HTTP request for a server that only returns its body.
package enum EchoCost {
    private static let requestsPerRound = 10_000
    private static let connectionCount = 16
    private static let limit: Duration = .seconds(60)
    private static let body = Array(
        #"{"phoneNumber":"+15550101234","countryCode":"US","code":"123456","name":"Betty"}"#.utf8)

    /// CPU µs of the server for one request, in each of so many rounds.
    package static func measure(_ server: EchoServer, rounds: Int, executable: String) async throws -> [Double] {
        let child = ChildProcess(executable: executable, arguments: ["echo-server", server.rawValue])
        return try await child.run { process, output in
            try await measure(port: try await port(output), process: process, rounds: rounds)
        }
    }

    private static func port(_ output: SubprocessOutputSequence) async throws -> Int {
        for try await line in output.strings() {
            if let port = Int(line.filter(\.isNumber)), port > 0 { return port }
        }
        throw LoadFailure.closed
    }

    private static func measure(port: Int, process: pid_t, rounds: Int) async throws -> [Double] {
        let connections = try await LoadConnection.open(connectionCount, port: port)
        var measured: [Double] = []
        // The first round warms up and is not counted.
        for number in 0...rounds {
            let before = try ProcessTimes(of: process)
            _ = try await LoadRun.over(connections, 0..<requestsPerRound, within: limit) { _, connection in
                let request = LoadRequest(
                    "POST", "/echo", headers: [("Content-Type", "application/json")], body: body)
                let answer = try await connection.send(request)
                guard answer.status == 200, answer.body == body else { throw LoadFailure.closed }
            }
            let used = try ProcessTimes(of: process).seconds - before.seconds
            if number > 0 { measured.append(used * 1_000_000 / Double(requestsPerRound)) }
        }
        for connection in connections { await connection.close() }
        return measured
    }
}
