/// A stack whose file holds so many sessions, and the clients that refresh them.
struct FilledStack: Sendable {
    let stack: StackUnderLoad
    let file: SessionFile
    private let clients: [RefreshClient]

    /// Runs `body` with a stack of its own that is ready and filled.
    ///
    /// - Parameter connections: one for each client; all have the same number of sessions, and each session has one client.
    static func run(
        name: String, sessions: Int, connections: Int, policy: RefreshPolicyFile,
        _ body: (FilledStack) async throws -> Void
    ) async throws {
        try await StackUnderLoad.run(name: name, environment: ["LATCHKEY_POLICY": policy.path]) { stack in
            let file = try SessionFile(of: stack.stack, policy: policy.policy)
            let tokens = try await file.fill(0..<sessions)
            let clients = try await LoadConnection.open(connections, port: stack.gatewayPort)
                .map { RefreshClient(connection: $0) }
            for (index, client) in clients.enumerated() {
                client.take(stride(from: index, to: tokens.count, by: clients.count).map { tokens[$0] })
            }
            try await body(FilledStack(stack: stack, file: file, clients: clients))
            for client in clients { await client.close() }
        }
    }

    /// Rotates `count` times, over all clients together.
    func round(rotations count: Int) async throws -> RefreshRound {
        // One that has rested while another stack was filled may have been closed by the gateway.
        for client in clients { try await client.reconnect(port: stack.gatewayPort) }
        return try await RefreshRound.run(clients, count: count, on: stack)
    }
}
