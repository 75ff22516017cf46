import CPostgreSQL
import Glibc
import Logging
import Storage

/// One connection of libpq, which waits on its thread until a time of our clock. It is used by one thread at a time.
///
/// After an error other than `refused` it is broken and can only be released.
@safe final class PQConnection {
    let pq: PQLibrary
    let connection: OpaquePointer
    private let notices: Notices
    /// The prepared statements' names by their text.
    private var names: [String: String] = [:]
    private var nameCount = 0

    /// Connects to one address, which blocks the thread.
    init(
        _ parameters: [(name: String, value: String)], _ pq: PQLibrary, _ logger: Logger,
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) {
        let opened = unsafe withCStrings(parameters.map(\.name)) { names in
            unsafe withCStrings(parameters.map(\.value)) { values in
                unsafe pq.call.PQconnectStartParams(names, values, 0)
            }
        }
        guard let opened = unsafe opened else { throw PostgreSQLError(.lost, "out of memory") }
        self.pq = pq
        unsafe connection = opened
        notices = Notices(pq, logger)
        // Before the server sends the first byte: some warnings come with the start of a connection.
        unsafe _ = pq.call.PQsetNoticeReceiver(opened, Notices.receiver, notices.context)
        guard unsafe pq.call.PQstatus(opened) != CONNECTION_BAD else { throw broken() }
        try finishConnecting(until: deadline)
        guard unsafe pq.call.PQsetnonblocking(opened, 1) == 0 else { throw broken() }
    }

    deinit {
        // libpq would first try to send a goodbye message, which a frozen server does not read.
        unsafe _ = shutdown(pq.call.PQsocket(connection), CInt(SHUT_RDWR))
        unsafe pq.call.PQfinish(connection)
    }

    /// The server's version as a number: 150018 is 15.18.
    var serverVersion: Int { Int(unsafe pq.call.PQserverVersion(connection)) }

    /// The number of warnings that the server has sent.
    var noticeCount: Int { notices.count }

    /// Runs a text of several statements without parameters; before `enterPipelineMode`.
    ///
    /// - Returns: The last statement's result, with its values as text.
    @discardableResult
    func runScript(_ sql: String, until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> PQResult? {
        guard unsafe pq.call.PQsendQuery(connection, sql) == 1 else { throw broken() }
        try flush(until: deadline)
        var failure: PostgreSQLError?
        var last: PQResult?
        while let result = try nextResult(until: deadline) {
            if result.status == PGRES_FATAL_ERROR { failure = failure ?? result.error }
            last = result
        }
        if let failure { throw failure }
        return last
    }

    /// Returns the form in which the server stores a password (SCRAM-SHA-256).
    func verifier(of password: String, for user: String) throws(PostgreSQLError) -> String {
        guard let text = unsafe pq.call.PQencryptPasswordConn(connection, password, user, "scram-sha-256") else {
            throw broken()
        }
        defer { unsafe pq.call.PQfreemem(text) }
        return unsafe String(cString: text)
    }

    /// Lets statements be sent without waiting for the results of those before.
    func enterPipelineMode() throws(PostgreSQLError) {
        guard unsafe pq.call.PQenterPipelineMode(connection) == 1 else { throw broken() }
    }

    /// Sends statements in one go and waits for their results, one for each. The server skips those after one that fails.
    ///
    /// - Throws: The error of the statement that failed.
    func run(_ statements: [Statement], until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> [PQResult] {
        let awaited = try send(statements)
        try flush(until: deadline)
        var results: [PQResult] = []
        var failure: PostgreSQLError?
        for part in awaited {
            guard let result = try nextResult(until: deadline) else { throw broken("a result is missing") }
            if result.status == PGRES_FATAL_ERROR { failure = failure ?? result.error }
            switch part {
            case .preparation(let sql, let name):
                if result.status == PGRES_COMMAND_OK { names[sql] = name }
            case .result: results.append(result)
            }
            guard try nextResult(until: deadline) == nil else { throw broken("a statement has two results") }
        }
        guard try nextResult(until: deadline)?.status == PGRES_PIPELINE_SYNC else { throw broken("the end is missing") }
        if let failure { throw failure }
        return results
    }
}

// MARK: - Sending

extension PQConnection {
    /// A part of the server's reply to a pipeline.
    private enum Awaited {
        case preparation(of: String, as: String)
        case result
    }

    /// Queues the statements, and before each the preparation of one that this connection does not know yet.
    private func send(_ statements: [Statement]) throws(PostgreSQLError) -> [Awaited] {
        var awaited: [Awaited] = []
        var fresh: [String: String] = [:]
        for statement in statements {
            var name = names[statement.sql.postgreSQL] ?? fresh[statement.sql.postgreSQL]
            if name == nil {
                nameCount += 1
                let new = "s\(nameCount)"
                guard unsafe pq.call.PQsendPrepare(connection, new, statement.sql.postgreSQL, 0, nil) == 1 else {
                    throw broken()
                }
                awaited.append(.preparation(of: statement.sql.postgreSQL, as: new))
                fresh[statement.sql.postgreSQL] = new
                name = new
            }
            try sendPrepared(name ?? "", statement.values)
            awaited.append(.result)
        }
        guard unsafe pq.call.PQpipelineSync(connection) == 1 else { throw broken() }
        return awaited
    }

    /// Queues a prepared statement with its parameters and with results in binary.
    private func sendPrepared(_ name: String, _ values: [SQLValue]) throws(PostgreSQLError) {
        let values = values.map(\.encoded)
        let lengths = values.map { CInt(truncatingIfNeeded: $0?.count ?? 0) }
        let formats = [CInt](repeating: 1, count: values.count)
        // One block for all values, so that each has an address that stays.
        var block: [UInt8] = []
        for value in values { block += value ?? [] }
        block.append(0)
        let isSent = unsafe block.withUnsafeBytes { block in
            var place = 0
            let addresses = unsafe values.map { value -> UnsafePointer<CChar>? in
                guard let bytes = value else { return nil }
                defer { place += bytes.count }
                return unsafe block.baseAddress.map { unsafe ($0 + place).assumingMemoryBound(to: CChar.self) }
            }
            return unsafe pq.call.PQsendQueryPrepared(
                connection, name, CInt(truncatingIfNeeded: values.count), addresses, lengths, formats, 1)
        }
        guard isSent == 1 else { throw broken() }
    }
}

/// Calls `body` with C strings, and NULL after the last one.
private func withCStrings<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
) -> Value {
    let copies = unsafe texts.map { unsafe UnsafePointer(strdup($0)) } + [nil]
    defer { for index in unsafe copies.indices { unsafe free(UnsafeMutablePointer(mutating: copies[index])) } }
    return unsafe copies.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
}
