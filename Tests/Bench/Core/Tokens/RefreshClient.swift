import Synchronization

/// One connection that refreshes its own sessions one after the other; each refresh token it gets replaces the one it spent.
package final class RefreshClient: Sendable {
    private struct State {
        var connection: LoadConnection
        var sessions: [RefreshableSession] = []
        var next = 0
    }

    private let call: RefreshCall
    private let state: Mutex<State>

    package init(connection: LoadConnection, call: RefreshCall = .native) {
        self.call = call
        state = Mutex(State(connection: connection))
    }

    /// Goes on over a new connection: one that has rested for long may have been closed by the other side.
    package func reconnect(port: Int) async throws {
        let fresh = try await LoadConnection.open(port: port)
        let old = state.withLock { state in
            defer { state.connection = fresh }
            return state.connection
        }
        await old.close()
    }

    /// Takes over sessions; their order is the order in which they are refreshed, again and again.
    package func take(_ sessions: [RefreshableSession]) {
        state.withLock { state in
            state.sessions += sessions
            state.sessions.shuffle()
            state.next = 0
        }
    }

    /// Refreshes the next session.
    ///
    /// - Returns: milliseconds from sending the request to having the whole answer.
    /// - Throws: `UnexpectedReply` for every answer but one with a new token.
    package func refresh() async throws -> Double {
        let (place, session, connection) = try nextSession()
        let sent = ContinuousClock.now
        let answer = try await connection.send(call.request(spending: session, origin: connection.origin))
        let milliseconds = (ContinuousClock.now - sent) / .milliseconds(1)
        guard answer.status == 200, let successor = call.successor(in: answer),
            !successor.isEmpty, successor != session.token
        else { throw UnexpectedReply(description: "POST \(call.path): \(answer.status) without a new token") }
        state.withLock { $0.sessions[place].token = successor }
        return milliseconds
    }

    package func close() async { await state.withLock { $0.connection }.close() }

    private func nextSession() throws -> (Int, RefreshableSession, LoadConnection) {
        try state.withLock { state in
            guard !state.sessions.isEmpty else { throw UnexpectedReply(description: "a client has no session") }
            let place = state.next
            state.next = (place + 1) % state.sessions.count
            return (place, state.sessions[place], state.connection)
        }
    }
}

/// Text in an answer, found without reading the rest: a load generator's own work must stay small.
package enum JSONText {
    /// The value of the first member `name` at any depth; only for values without escapes and text without spaces around
    /// its colons, as our own answers are.
    package static func string(_ name: String, in json: [UInt8]) -> [UInt8]? {
        text(after: "\"\(name)\":\"", until: UInt8(ascii: "\""), in: json)
    }

    /// The text between `key`, of three bytes at least, and the next `end`.
    static func text(after key: String, until end: UInt8, in text: [UInt8]) -> [UInt8]? {
        let key = Array(key.utf8)
        guard let start = place(of: key, in: text) else { return nil }
        let value = text[(start + key.count)...]
        guard let end = value.firstIndex(of: end) else { return nil }
        return Array(value[..<end])
    }

    private static func place(of key: [UInt8], in json: [UInt8]) -> Int? {
        guard key.count <= json.count, let last = key.last, key.count > 2 else { return nil }
        // The second byte, a letter, is rarer than the quotation mark before it.
        for start in 0...(json.count - key.count) where json[start + 1] == key[1] && json[start] == key[0] {
            if json[start + key.count - 1] == last, json[start..<start + key.count].elementsEqual(key) { return start }
        }
        return nil
    }
}
