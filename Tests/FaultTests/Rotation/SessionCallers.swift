import InternalAPI
import ServiceKit
import TestSupport

/// The callers of token-service's replicas, with connections of their own for what happens at once.
struct SessionCallers: Sendable {
    private static let connectionsMax = 32

    private let stack: LatchkeyStack
    private let clients: [String: TestHTTPClient]

    static func with<Value>(
        _ stack: LatchkeyStack, _ body: (SessionCallers) async throws -> Value
    ) async throws -> Value {
        try await with(stack, SessionClient.replicas[...], [:], body)
    }

    private static func with<Value>(
        _ stack: LatchkeyStack, _ names: ArraySlice<String>, _ clients: [String: TestHTTPClient],
        _ body: (SessionCallers) async throws -> Value
    ) async throws -> Value {
        guard let name = names.first else { return try await body(SessionCallers(stack: stack, clients: clients)) }
        return try await stack.service(name).withConnections(connectionsMax) { client in
            try await with(stack, names.dropFirst(), clients.merging([name: client]) { $1 }, body)
        }
    }

    func gateway(_ replica: String, _ path: String, _ body: some Encodable) async throws -> HTTPAnswer {
        try await ServiceCaller(stack: stack, caller: .gateway, client: clients[replica]).post("token", path, body)
    }

    func user(_ replica: String, _ path: String, _ body: some Encodable) async throws -> HTTPAnswer {
        try await ServiceCaller(stack: stack, caller: .user, client: clients[replica]).post("token", path, body)
    }
}
