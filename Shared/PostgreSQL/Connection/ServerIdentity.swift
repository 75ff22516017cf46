import Storage

/// The facts that a server states about itself when a connection begins.
struct ServerIdentity: Sendable, Equatable {
    /// The identifier that its copies have in common.
    let identifier: Int64
    /// The number of the write-ahead log's timeline. Each promotion begins a higher one.
    let timeline: Int64
    /// The server that the schema's owner has noted; `nil` if there is none.
    let record: ServerRecord?

    /// The states of a statement that a server refuses because it does not offer the functions, or not to this role.
    private static let unsupported = ["42501", "42883", "0A000"]
    /// The states on a schema without the table, which `Migration.require` reports, and on a standby, which refuses changes.
    private static let unfinished = ["42P01", "3F000", "55000"]

    private static let question = Statement(
        """
        SELECT s.system_identifier, ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint,
            r.identifier, r.number
        FROM pg_control_system() AS s LEFT JOIN server_record AS r ON true
        """)

    /// The reply of a server.
    enum Reply: Sendable, Equatable {
        case stated(ServerIdentity)
        /// The server does not offer the functions.
        case unsupported
        /// The schema is not complete, or the server is a standby.
        case unfinished
    }

    /// Reads the identity with one round trip.
    static func read(
        of connection: PQConnection, until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) -> Reply {
        do throws(PostgreSQLError) {
            guard let row = Rows(try connection.run([question], until: deadline).first).first else {
                return .unfinished
            }
            let record = row.optionalInteger(2).map { ServerRecord(identifier: $0, number: row.integer(3)) }
            return .stated(
                ServerIdentity(identifier: row.integer(0), timeline: row.integer(1), record: record))
        } catch {
            guard case .refused(let state) = error.kind else { throw error }
            if unsupported.contains(state) { return .unsupported }
            if unfinished.contains(state) { return .unfinished }
            throw error
        }
    }

    /// Decides whether a service may use the server.
    ///
    /// - Parameter highest: The highest rank that is known; `nil` if none is.
    func judge(highest: Int64?) -> ServerVerdict {
        guard let record else { return .unchecked }
        guard identifier == record.identifier else { return .otherServer }
        let rank = Self.rank(of: record, timeline: timeline)
        guard let highest, rank < highest else { return .accepted(rank: rank) }
        return .replaced
    }

    private static let timelineBits: Int64 = 1 << 20
    private static let numberMax: Int64 = 1 << 32

    /// Orders the servers of a schema: by the record's number, then by the timeline. A sorted set of Redis represents each rank
    /// exactly, since it is below 2^53.
    private static func rank(of record: ServerRecord, timeline: Int64) -> Int64 {
        min(max(record.number, 0), numberMax - 1) * timelineBits + min(max(timeline, 0), timelineBits - 1)
    }
}

/// The server on which a schema may be used, as the schema's owner has noted it.
struct ServerRecord: Sendable, Equatable {
    /// The system identifier of the server.
    let identifier: Int64
    /// A Unix time in seconds, higher than that of every earlier record of the schema.
    let number: Int64
}

/// Whether a service may use a server.
enum ServerVerdict: Sendable, Equatable {
    case accepted(rank: Int64)
    /// The schema's owner has noted no server.
    case unchecked
    /// Another server has been promoted since, or contains the schema since.
    case replaced
    /// The data was copied to a server that is not noted.
    case otherServer
}
