import CPostgreSQL
import Glibc

/// Waiting for the server until a time of our clock. When it has passed, the connection is released, which closes its socket.
extension PQConnection {
    /// `POLLRDHUP`, which Swift does not import.
    private static let closedByPeer: Int16 = 0x2000

    /// Whether the other side has closed the connection while it was idle.
    var isClosedByServer: Bool {
        var socket = pollfd(fd: unsafe pq.call.PQsocket(connection), events: Self.closedByPeer, revents: 0)
        return unsafe poll(&socket, 1, 0) > 0
    }

    /// Carries a new connection on until the server is ready for statements.
    func finishConnecting(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        var next = PGRES_POLLING_WRITING
        while next != PGRES_POLLING_OK {
            guard next != PGRES_POLLING_FAILED else { throw broken() }
            try wait(for: next == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: deadline)
            next = unsafe pq.call.PQconnectPoll(connection)
        }
    }

    /// Sends what is queued. It reads meanwhile: a server that cannot get rid of its results reads nothing.
    func flush(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        while true {
            let left = unsafe pq.call.PQflush(connection)
            guard left >= 0 else { throw broken() }
            guard left > 0 else { return }
            if try wait(for: POLLIN | POLLOUT, until: deadline) & POLLIN != 0 { try consume() }
        }
    }

    /// Waits for the next result; `nil` marks the end of a statement's results.
    func nextResult(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> PQResult? {
        while unsafe pq.call.PQisBusy(connection) != 0 {
            try wait(for: POLLIN, until: deadline)
            try consume()
        }
        guard let result = unsafe pq.call.PQgetResult(connection) else { return nil }
        let wrapped = unsafe PQResult(result, pq)
        // The server has closed the connection, or libpq has given it up.
        if wrapped.status == PGRES_FATAL_ERROR, unsafe pq.call.PQstatus(connection) != CONNECTION_OK {
            throw PostgreSQLError(.lost, wrapped.error.message)
        }
        return wrapped
    }

    /// Returns the error of a connection that cannot be used any more.
    func broken(_ finding: String? = nil) -> PostgreSQLError {
        let message = unsafe pq.call.PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? ""
        return PostgreSQLError(.lost, finding ?? (message.isEmpty ? "the connection is closed" : message))
    }

    private func consume() throws(PostgreSQLError) {
        guard unsafe pq.call.PQconsumeInput(connection) == 1 else { throw broken() }
    }

    @discardableResult
    private func wait(for events: CInt, until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> CInt {
        var socket = pollfd(
            fd: unsafe pq.call.PQsocket(connection), events: Int16(truncatingIfNeeded: events), revents: 0)
        while true {
            let rest = (deadline - .now) / .milliseconds(1)
            guard rest > 0 else { throw PostgreSQLError(.timedOut, "the server does not respond in time") }
            let count = unsafe poll(&socket, 1, CInt(min(rest.rounded(.up), 60_000)))
            if count > 0 { return CInt(socket.revents) }
            guard count == 0 || errno == EINTR else { throw broken("poll failed: errno \(errno)") }
        }
    }
}
