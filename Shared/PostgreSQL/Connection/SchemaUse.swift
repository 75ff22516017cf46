import Glibc
import Storage

/// Whether a schema is in use. Each connection of a service has a lock of the server, together with the others, as long as it
/// lasts. A command that must be alone has the lock alone, so that no service begins meanwhile.
struct SchemaUse {
    private static let shownMax = 5
    /// How often the lock is tried, since the server notices within moments that a process has gone.
    private static let triesMax = 20
    private static let pauseMicroseconds: UInt32 = 100_000

    private let schema: String
    private var lock: Int64 { AdvisoryLock(.whole, "use").order(in: schema).number }

    init(of schema: String) { self.schema = schema }

    /// Takes the lock together with all services.
    func begin(in session: Session) throws {
        guard try isGranted("SELECT pg_try_advisory_lock_shared($1)", in: session) else {
            throw StorageError(.busy, "a command of latchkeyctl changes the whole schema \(schema) just now")
        }
    }

    /// Takes the lock alone; blocks its thread for two seconds if it is not free.
    ///
    /// - Throws: `busy` with the server's processes that serve others.
    func beginAlone(in session: Session) throws {
        for _ in 0..<Self.triesMax {
            if try isGranted("SELECT pg_try_advisory_lock($1)", in: session) { return }
            usleep(Self.pauseMicroseconds)
        }
        let processes = try session.rows(
            """
            SELECT pid::bigint FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND pid <> pg_backend_pid()
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND (classid::bigint << 32) | objid::bigint = $1
            ORDER BY pid LIMIT $2::bigint
            """, lock, Self.shownMax
        ).map { "\($0.integer(0))" }
        throw StorageError(
            .busy,
            "the schema \(schema) is in use (server processes \(processes.joined(separator: ", "))): stop the services first"
        )
    }

    private func isGranted(_ sql: SQL, in session: Session) throws -> Bool {
        try session.rows(sql, lock).first?.boolean(0) ?? false
    }
}
