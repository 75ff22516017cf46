import AuthAPI

/// A stack and the clients that refresh its sessions.
struct RefreshingStack: Sendable {
    private static let signInLimit: Duration = .seconds(600)

    private let stack: StackUnderLoad
    private let clients: [RefreshClient]

    /// Deals the sessions out: all clients have the same number, and each session has one client.
    init(
        _ stack: StackUnderLoad, _ sessions: [RefreshableSession], connections: Int, call: RefreshCall = .native
    ) async throws {
        self.stack = stack
        clients = try await LoadConnection.open(connections, port: stack.gatewayPort)
            .map { RefreshClient(connection: $0, call: call) }
        for (index, client) in clients.enumerated() {
            client.take(stride(from: index, to: sessions.count, by: clients.count).map { sessions[$0] })
        }
    }

    /// Runs `body` with a build's stack of its own, in which so many users have signed in.
    static func run<Value: Sendable>(
        of build: Build, sessions: Int, connections: Int, policy: RefreshPolicyFile,
        _ body: (RefreshingStack) async throws -> Value
    ) async throws -> Value {
        let environment = ["LATCHKEY_POLICY": policy.path]
        return try await StackUnderLoad.run(name: "bench-tokens", build: build, environment: environment) { stack in
            let opened = try await signIn(0..<sessions, connections: connections, to: stack)
            let refreshing = try await RefreshingStack(stack, opened, connections: connections)
            let value = try await body(refreshing)
            await refreshing.close()
            return value
        }
    }

    /// Signs in a user for each of these numbers, as an app or, for a call by cookie, as a page.
    static func signIn(
        _ users: Range<Int>, by call: RefreshCall = .native, connections: Int, to stack: StackUnderLoad
    ) async throws -> [RefreshableSession] {
        let client = SignInClient(hooks: stack.hooks)
        let opened = try await LoadConnection.open(connections, port: stack.gatewayPort)
        let run = try await LoadRun.over(opened, users, within: signInLimit) { index, connection in
            let number = SignInNumbers.number(index)
            return call.isByCookie
                ? try await client.pageSession(number, over: connection)
                : RefreshableSession(token: try await client.tokens(number, over: connection).refreshToken)
        }
        for connection in opened { await connection.close() }
        return run.values
    }

    /// Rotates `count` times, over all clients together.
    func round(rotations count: Int) async throws -> RefreshRound {
        // One that has rested while another stack was at work may have been closed by the gateway.
        for client in clients { try await client.reconnect(port: stack.gatewayPort) }
        return try await RefreshRound.run(clients, count: count, on: stack)
    }

    func close() async { for client in clients { await client.close() } }
}
