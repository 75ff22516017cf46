import AuthAPI
import Synchronization

/// One connection that refreshes its own sessions one after the other; each refresh token it gets replaces the one it used.
final class RefreshClient: Sendable {
    private struct State {
        var connection: LoadConnection
        var sessions: [RefreshableSession]
        var next = 0
    }

    private let call: RefreshCall
    private let state: Mutex<State>

    /// - Parameter sessions: refreshed again and again in an order that is drawn.
    init(
        connection: LoadConnection, _ sessions: [RefreshableSession], call: RefreshCall = .native
    ) {
        self.call = call
        state = Mutex(State(connection: connection, sessions: sessions.shuffled()))
    }

    /// Goes on over a new connection: one that has been idle for long may have been closed by the other side.
    func reconnect(port: Int) async throws {
        let fresh = try await LoadConnection.open(port: port)
        let old = state.withLock { state in
            defer { state.connection = fresh }
            return state.connection
        }
        await old.close()
    }

    /// Refreshes the next session.
    ///
    /// - Returns: milliseconds from sending the request to having the whole answer.
    /// - Throws: `UnexpectedReply` for every answer but one with a new token.
    func refresh() async throws -> Double {
        let (place, session, connection) = try nextSession()
        let sent = ContinuousClock.now
        let answer = try await connection.send(call.request(using: session, origin: connection.origin))
        let milliseconds = (ContinuousClock.now - sent) / .milliseconds(1)
        guard answer.status == 200, let successor = call.successor(in: answer),
            !successor.isEmpty, successor != session.token
        else { throw UnexpectedReply(description: "POST \(call.path): \(answer.status) without a new token") }
        state.withLock { $0.sessions[place].token = successor }
        return milliseconds
    }

    func close() async { await state.withLock { $0.connection }.close() }

    private func nextSession() throws -> (Int, RefreshableSession, LoadConnection) {
        try state.withLock { state in
            guard !state.sessions.isEmpty else { throw UnexpectedReply(description: "a client has no session") }
            let place = state.next
            state.next = (place + 1) % state.sessions.count
            return (place, state.sessions[place], state.connection)
        }
    }
}

/// A stack and the clients that refresh its sessions: all have the same number, and each session has one client.
struct RefreshingStack: Sendable {
    private static let limit: Duration = .seconds(600)

    let load: StackUnderLoad
    private let clients: [RefreshClient]

    /// Runs `body` with clients of the sessions, and closes their connections.
    static func with<Value: Sendable>(
        _ load: StackUnderLoad, _ sessions: [RefreshableSession], connections: Int, call: RefreshCall = .native,
        _ body: (RefreshingStack) async throws -> Value
    ) async throws -> Value {
        var clients: [RefreshClient] = []
        for index in 0..<connections {
            let own = stride(from: index, to: sessions.count, by: connections).map { sessions[$0] }
            clients.append(
                RefreshClient(connection: try await .open(port: load.gatewayPort), own, call: call))
        }
        let refreshing = RefreshingStack(load: load, clients: clients)
        return try await finally {
            try await body(refreshing)
        } end: {
            for client in clients { await client.close() }
        }
    }

    /// Signs in a user for each of these numbers, as an app or, for a call by cookie, as a page.
    static func signIn(
        _ users: Range<Int>, by call: RefreshCall = .native, connections: Int, to load: StackUnderLoad
    ) async throws -> [RefreshableSession] {
        let client = SignInClient(hooks: load.hooks)
        return try await LoadConnection.with(connections, port: load.gatewayPort) { opened in
            try await LoadRun.over(opened, users, within: limit) { index, connection in
                let number = SignInNumbers.number(index)
                return call.isByCookie
                    ? try await client.pageSession(number, over: connection)
                    : RefreshableSession(token: try await client.tokens(number, over: connection).refreshToken)
            }.values
        }
    }

    /// Rotates `count` times, over all clients together; returns milliseconds.
    func refresh(_ count: Int) async throws -> [Double] {
        // One that was idle while another stack was at work may have been closed by the gateway.
        for client in clients { try await client.reconnect(port: load.gatewayPort) }
        return try await LoadRun.over(clients, 0..<count, within: Self.limit) { try await $1.refresh() }.values
    }

    /// Rotates at a rate, over all clients together; returns milliseconds.
    func refresh(perSecond: Double, seconds: Double) async throws -> [Double] {
        for client in clients { try await client.reconnect(port: load.gatewayPort) }
        return try await PacedLoad(perSecond: perSecond, seconds: seconds)
            .run(over: clients) { _, client, _ in try await client.refresh() }
    }

    /// Rotates `count` times, and returns the cost of one rotation and how long it took.
    func round(
        _ count: Int, charged: [String], atMost: Double? = nil, rateAtLeast: Double? = nil
    ) async throws -> [Figure] {
        let before = try Clocks(load.stack)
        let milliseconds = try await refresh(count)
        return try Clocks(load.stack)
            .costs(of: count, since: before, charged: charged, atMost: atMost, rateAtLeast: rateAtLeast)
            + Figure.percentiles(milliseconds)
    }
}
