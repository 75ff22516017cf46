import Glibc
import TestSupport

extension StackUnderLoad {
    /// The 99th per cent's milliseconds of calls of the app's API, each of which has to be served.
    func callAPI(_ token: String, _ load: PacedLoad, connections count: Int) async throws -> Double {
        let connections = try await LoadConnection.open(count, port: gatewayPort)
        let call = LoadRequest("GET", "/api/hello", headers: [("Authorization", "Bearer \(token)")])
        let milliseconds = try await load.run(over: connections) { _, connection in
            try await connection.send(call, expecting: 200)
        }
        for connection in connections { await connection.close() }
        guard let p99 = Percentile.of(milliseconds.sorted(), percent: 99) else {
            throw UnexpectedReply(description: "no call was made")
        }
        return p99
    }

    /// The process id of a process by its short name.
    func process(_ name: String) throws -> pid_t {
        guard let process = try stack.processIDs[name] else {
            throw UnexpectedReply(description: "\(name) has no process id")
        }
        return process
    }
}
