import CPostgreSQL

/// Copies rows into a table; before `enterPipelineMode`.
extension PQConnection {
    /// Begins a COPY from here, whose data `sendCopied` sends.
    func beginCopy(_ sql: String, until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        guard unsafe pq.call.PQsendQuery(connection, sql) == 1 else { throw broken() }
        try flush(until: deadline)
        guard let result = try nextResult(until: deadline) else { throw broken("a result is missing") }
        guard result.status != PGRES_COPY_IN else { return }
        while try nextResult(until: deadline) != nil {}
        throw result.error
    }

    /// Sends a part of the data, and waits until the server has taken what was sent before.
    func sendCopied(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        let count = CInt(truncatingIfNeeded: bytes.count)
        let isQueued = unsafe bytes.withUnsafeBytes { bytes in
            unsafe pq.call.PQputCopyData(
                connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), count)
        }
        // An error of the server has ended the COPY.
        guard isQueued == 1 else { throw try nextResult(until: deadline)?.error ?? broken() }
        try flush(until: deadline)
    }

    /// Ends the data.
    ///
    /// - Returns: The number of rows.
    func endCopy(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> Int {
        guard unsafe pq.call.PQputCopyEnd(connection, nil) == 1 else {
            throw try nextResult(until: deadline)?.error ?? broken()
        }
        try flush(until: deadline)
        guard let result = try nextResult(until: deadline) else { throw broken("a result is missing") }
        while try nextResult(until: deadline) != nil {}
        guard result.status == PGRES_COMMAND_OK else { throw result.error }
        return result.changedCount
    }
}
