import TestSupport

/// A stack whose database holds so many sessions, and the clients that refresh them.
struct FilledStack: Sendable {
    let file: SessionFile
    let stack: LatchkeyStack
    private let refreshing: RefreshingStack

    /// Runs `body` with a stack of its own that is ready and filled.
    ///
    /// - Parameters:
    ///   - connections: one for each client.
    ///   - database: where token-service keeps its data, unless in a file of SQLite.
    static func run(
        name: String, sessions: Int, connections: Int, policy: RefreshPolicyFile,
        database: StackDatabase? = nil, _ body: (FilledStack) async throws -> Void
    ) async throws {
        try await StackUnderLoad.run(
            name: name, environment: ["LATCHKEY_POLICY": policy.path], database: database
        ) { stack in
            let file = try SessionFile(of: stack.stack, policy: try policy.policy)
            let tokens = try await file.fill(0..<sessions)
            let refreshing = try await RefreshingStack(
                stack, tokens.map { RefreshableSession(token: $0) }, connections: connections)
            try await body(FilledStack(file: file, stack: stack.stack, refreshing: refreshing))
            await refreshing.close()
        }
    }

    /// Rotates `count` times, over all clients together.
    func round(rotations count: Int) async throws -> RefreshRound { try await refreshing.round(rotations: count) }
}
